#version 430
// Compute the next mass and momentum of each cell from the old ones of the cells around. Law: mass that leaves a cell
// arrives in a neighbour, or crosses an open edge; none is made or lost. Twin: oracle.inertia.move.
#include "generated/ledger.glsl"
#include "inertia/stages.glsl"
#include "flow/seen.glsl"
#include "lib/wide.glsl"

uniform uint substep;

// The mass and momentum of each cell of the row `over`, without the flow through the face below it.
int mass_kept[WINDOW];
ivec2 momentum_kept[WINDOW];

int changed = 0;     // not 0 if any cell has changed
int changed_own = 0; // not 0 if any cell that is counted has changed
int flowed = 0;      // not 0 if any mass has flowed
int seen = 0;        // not 0 if the tiles of atoms must be awake after a change in any cell
uvec2 moved_units = uvec2(0), left_units = uvec2(0);

// Store a cell without water. Momentum that was left in it is removed.
void skip(int k, int y)
{
    ivec2 cell = to_world(ivec2(origin.x + k, y), size);
    int change = int(clear_texels(k, cell)) & inside[k + STRIP_REACH];
    changed |= change;
    changed_own |= change & own_mask(y) & own_column_mask(origin.x + k);
}

void begin(int k)
{
    mass_kept[k + STRIP_REACH] = 0;
    momentum_kept[k + STRIP_REACH] = ivec2(0);
}

int pulled(int drawn) { return drawn * TENSION >> SPEED_BITS; }

// Store column k of the row `over`, whose flows are all known once `here` sends; and count the mass that has flowed.
void finish(int k)
{
    int i = k + STRIP_REACH, texel = over[i], counted = inside[i] & own_column_mask(origin.x + k);
    bool back = fall_over[i] < 0;
    int flow = scaled(fall_over[i], back ? share[i] : share_over[i]);
    ivec2 carries = carried(flow, back ? speed[i] : speed_over[i]);
    int mass = mass_kept[i] - flow;
    ivec2 number = momentum_kept[i] - carries;
    uint motion = stored_momentum(turned_to_world(number), solid(texel) ? 0 : mass);
    mass = solid(texel) ? texel : mass;
    ivec2 cell = to_world(ivec2(origin.x + k, own_store == 0 ? -1 : over_row), size);
    store_texels(k, cell, mass, motion);
    int change = (int(motion ^ word_over[i]) | (mass ^ texel)) & own_store & inside[i];
    changed |= change;
    changed_own |= change & own_mask(over_row) & counted;
    seen |= waking_change(amount_of_texel(texel), amount_of_texel(mass)) & own_store & inside[i];
    mass_kept[i] = here[i] + aside[i - 1] - aside[i] + flow;
    momentum_kept[i] = momentum[i] + aside_carries[i - 1] - aside_carries[i] + carries;
    momentum_kept[i].x += pulled(max(drawn[i - 1], 0)) - pulled(max(-drawn[i], 0));
    flowed |= (abs(aside[i]) | abs(flow)) & inside[i];
    int right = abs(aside[i]) & own_row & counted, down = abs(flow) & own_face & counted;
    moved_units = add64(moved_units, uvec2(right + down, 0));
    if (EDGES == EDGES_OPEN) {
        int left = abs(aside[i - 1]) & own_row & counted & ~inside[i - 1];
        moved_units = add64(moved_units, uvec2(left, 0));
        left_units = add64(left_units, uvec2(left + (right & ~inside[i + 1]) + (down & face_outside), 0));
    }
}

void report(ivec2 strip)
{
    if (changed_own != 0 || moved_units != uvec2(0))
        mark_active(tick);
    if (changed != 0 || (HAS_HALO ? flowed != 0 : moved_units != uvec2(0))) {
        note_latest(tick);
        note_cell(CHANGED, origin, frame_size(size), tick);
    }
    if (seen != 0)
        note_seen(origin, origin + ivec2(STRIP_WIDTH, STRIP_HEIGHT) - 1);
    if (substep > 0u)
        moved_units = add64(moved_units, load_moved(strip));
    store_moved(strip, moved_units);
    if (EDGES == EDGES_OPEN && left_units != uvec2(0))
        count_left(left_units, tick);
}

#ifdef FETCH_AHEAD
// Load in advance every cache line of the strip that will be read or written: a processor loads many lines at once if
// they are asked for together, and else waits for each. The comparison with MASS_LIMIT is never true, but the compiler
// cannot know this and so keeps the loads.
void fetch_strip()
{
    const int LINE = 16; // texels in a line of the cache
    const ivec2 STEP = UPRIGHT ? ivec2(LINE, 1) : ivec2(1, LINE);
    int most = 0;
    for (int y = origin.y - 3; y <= origin.y + STRIP_HEIGHT + 2; y += STEP.y)
        for (int i = 0; i < STRIP_WIDTH; i += STEP.x) {
            ivec2 cell = to_world(ivec2(origin.x + i, y), size);
            most = max(most, any_texel(cell));
        }
    for (int y = origin.y; y < origin.y + STRIP_HEIGHT; y += STEP.y)
        for (int i = 0; i < STRIP_WIDTH; i += STEP.x) {
            ivec2 cell = to_world(ivec2(origin.x + i, y), size);
            most = max(most, any_next_texel(cell));
        }
    moved_units.y = most > MASS_LIMIT ? 1u : 0u;
}
#endif
