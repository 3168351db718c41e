#version 430
// The next mass of each cell, gathered from the old masses of its neighbours. Law: the mass that a cell sends another
// cell receives; none is made or lost. Twin: oracle.flow.flow.
//
// Each invocation slides a window of three rows down its strip and computes the outflow of each cell about once, where
// a cell by itself would compute five. The new mass of a row is stored one row late, when the outflow upward of the row
// below is known.
//
// Software OpenGL runs all lanes through both sides of every branch, so no code here branches on where a cell lies:
// what does not depend on the cell is computed once a column or once a row, and OpenGL drops stores beyond the world.
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "flow/seen.glsl"
#include "flow/tile_strips.glsl"
#include "lib/domain.glsl"
#include "lib/edges.glsl"
#include "lib/flow.glsl"
#include "lib/frame.glsl"
#include "lib/wide.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform uint substep;

// Two columns beyond the strip on each side: one whose outflow enters the strip, and one that this outflow depends on.
const int WINDOW = STRIP_WIDTH + 4;

// The columns of the window, in gravity's frame, counted from the side that is served first, so that the same code
// serves both sides.
int column[WINDOW]; // x in the frame, also beyond the world
int source[WINDOW]; // the x of the place inside the world that is read for it
int inside[WINDOW]; // a mask: -1 in the world, 0 beyond
ivec2 origin;

int above[WINDOW], here[WINDOW], below[WINDOW];
int kept[STRIP_WIDTH];    // the next texels of the row above, without the outflow up from this row
int falling[STRIP_WIDTH]; // the outflow down from the row above

int seen = 0;                 // not 0 if atoms see a change in a cell of the strip
int seen_own = 0;             // not 0 if they see one in a cell that is counted
uint flowed = 0u;             // not 0 if a cell of the strip sent any mass
uvec2 moved_units = uvec2(0); // that the counted cells of the strip sent
uvec2 left_units = uvec2(0);  // the part of these that crossed the edge of the world

void find_columns()
{
    ivec2 frame = frame_size(size);
    int coin = first_side(world_tick(origin), substep);
    for (int i = 0; i < WINDOW; i++) {
        column[i] = origin.x + (coin == 0 ? i - 2 : STRIP_WIDTH + 1 - i);
        source[i] = inside_world(ivec2(column[i], 0), frame).x;
        inside[i] = column[i] >= 0 && column[i] < frame.x ? -1 : 0;
    }
}

#ifdef FOURS
// Four cells of a row of the world are loaded and stored at once. The first column of the strip is the first of four,
// so the strip has whole fours, and a half of one on each side.
const int FOUR = 4;

// Exchange the order of the world and that of the window, whose columns may run against those of the world.
ivec4 in_order(ivec4 four)
{
    bool backward = column[0] > column[1];
    return backward != (GRAVITY == GRAVITY_UP) ? four.wzyx : four;
}

// Load the four cells among which is the one that is read for column i of the window.
ivec4 load_four(int i, int y) { return in_order(load_four_mass(to_world(ivec2(source[i], y), size))); }

ivec4 next_four;

void store_texel(int i, int y, int next)
{
    next_four[i % FOUR] = next;
    if (i % FOUR == FOUR - 1)
        store_four_mass(to_world(ivec2(column[i + 2], y), size), in_order(next_four));
}

int any_texel(ivec2 at) { return load_four_mass(at).x; }
int any_next_texel(ivec2 at) { return load_next_four_mass(at).x; }

void load_texels(int y)
{
    ivec4 four = load_four(1, y);
    below[0] = four.z;
    below[1] = four.w;
    for (int i = 2; i < WINDOW - 2; i += FOUR) {
        four = load_four(i, y);
        for (int k = 0; k < FOUR; k++)
            below[i + k] = four[k];
    }
    four = load_four(WINDOW - 2, y);
    below[WINDOW - 2] = four.x;
    below[WINDOW - 1] = four.y;
}
#else
void store_texel(int i, int y, int next) { store_mass_texel(to_world(ivec2(column[i + 2], y), size), next); }
int any_texel(ivec2 at) { return load_mass_texel(at); }
int any_next_texel(ivec2 at) { return load_next_mass_texel(at); }

void load_texels(int y)
{
    for (int i = 0; i < WINDOW; i++)
        below[i] = load_mass_texel(to_world(ivec2(source[i], y), size));
}
#endif

// Read a row into `below`.
void load_row(int y)
{
    load_texels(inside_world(ivec2(0, y), frame_size(size)).y);
    int row = row_inside(y);
    for (int i = 0; i < WINDOW; i++) {
        int texel = below[i];
        if (EDGES == EDGES_CLOSED)
            texel |= ~(inside[i] & row); // sets SOLID_BIT in cells outside the world
        if (EDGES == EDGES_OPEN)
            texel &= inside[i] & row;
        below[i] = texel;
    }
}

void shift_up()
{
    for (int i = 0; i < WINDOW; i++) {
        above[i] = here[i];
        here[i] = below[i];
    }
}

// The part of the outflow of column i of the window that crosses the edge of the world.
int leaving(Outflow sent, int i, int row_above, int row_below)
{
    return (sent.first & ~inside[i - 1]) + (sent.second & ~inside[i + 1]) + (sent.up & ~row_above) +
        (sent.down & ~row_below);
}

// Compute the outflows of a row of the strip. The row below the strip is computed too, but not counted.
void flow_row(int row)
{
    int y = origin.y + row;
    int stored_y = row > 0 ? y - 1 : -1, stored = row > 0 ? row_inside(y - 1) : 0;
    int counted = row < STRIP_HEIGHT ? own_mask(y) : 0;
    int row_above = row_inside(y - 1), row_below = row_inside(y + 1);
    uvec2 sent_units = uvec2(0), gone_units = uvec2(0);
    uint sent_by_four = 0u, gone_by_four = 0u;
    Outflow before = outflow(here[1], below[1], here[0], here[2], above[1]);
    Outflow sent = outflow(here[2], below[2], here[1], here[3], above[2]);
    for (int i = 0; i < STRIP_WIDTH; i++) {
        Outflow after = outflow(here[i + 3], below[i + 3], here[i + 2], here[i + 4], above[i + 3]);
        int next = kept[i] + sent.up;
        store_texel(i, stored_y, next);
        int change = seen_change(amount_of_texel(above[i + 2]), amount_of_texel(next)) & inside[i + 2] & stored;
        seen |= change;
        seen_own |= change & own_mask(y - 1);
        int units = total(sent);
        kept[i] = here[i + 2] - units + before.second + after.first + falling[i];
        falling[i] = sent.down;
        // On a torus the cells beyond the last row and column belong to another strip, which counts them.
        if (EDGES == EDGES_WRAP)
            units &= inside[i + 2] & row_inside(y);
        sent_by_four += uint(units);
        if (EDGES == EDGES_OPEN)
            gone_by_four += uint(leaving(sent, i + 2, row_above, row_below));
        if (i % 4 == 3 || i == STRIP_WIDTH - 1) { // 32 bits hold at most four times MASS_LIMIT
            sent_units = add64(sent_units, uvec2(sent_by_four, 0));
            gone_units = add64(gone_units, uvec2(gone_by_four, 0));
            sent_by_four = gone_by_four = 0u;
        }
        before = sent;
        sent = after;
    }
    flowed |= row < STRIP_HEIGHT ? sent_units.x | sent_units.y : 0u;
    moved_units = add64(moved_units, sent_units & uint(counted));
    left_units = add64(left_units, gone_units & uint(counted));
}

#ifdef FETCH_AHEAD
// A processor waits for memory line by line, unless it is asked for all of them at once: touch every line of the strip
// that will be read and written. Returns 0, which the compiler cannot know: no mass is above its limit.
uint fetch_strip()
{
    const int LINE = 16; // texels in a line of the cache
    const ivec2 STEP = UPRIGHT ? ivec2(LINE, 1) : ivec2(1, LINE);
    int most = 0;
    for (int y = origin.y - 1; y <= origin.y + STRIP_HEIGHT + 1; y += STEP.y)
        for (int i = 0; i < STRIP_WIDTH; i += STEP.x)
            most = max(most, amount_of_texel(any_texel(to_world(ivec2(origin.x + i, y), size))));
    for (int y = origin.y; y < origin.y + STRIP_HEIGHT; y += STEP.y)
        for (int i = 0; i < STRIP_WIDTH; i += STEP.x)
            most = max(most, amount_of_texel(any_next_texel(to_world(ivec2(origin.x + i, y), size))));
    return most > MASS_LIMIT ? 1u : 0u;
}
#endif

// Note that the strip has changed, store what its cells sent, and count what has left the world.
void report(ivec2 strip)
{
    if (flowed != 0u) {
        note_latest(tick);
        note_cell(CHANGED, origin, frame_size(size), tick);
    }
    if (seen_own != 0)
        mark_active(tick);
    if (seen != 0)
        note_seen(origin, origin + ivec2(STRIP_WIDTH, STRIP_HEIGHT) - 1);
    if (substep > 0u)
        moved_units = add64(moved_units, load_moved(strip));
    store_moved(strip, moved_units);
    if (EDGES == EDGES_OPEN && left_units != uvec2(0))
        count_left(left_units, tick);
}

void main()
{
    ivec2 strip = owned_strip();
    origin = strip * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    ivec2 frame = frame_size(size);
    if (origin.x >= frame.x || origin.y >= frame.y)
        return;
#ifdef FETCH_AHEAD
    moved_units.y = fetch_strip();
#endif
    find_columns();
    load_row(origin.y - 1);
    shift_up();
    load_row(origin.y);
    for (int i = 0; i < STRIP_WIDTH; i++) {
        kept[i] = 0;
        falling[i] = flow_down(free_of_texel(here[i + 2]), receiver_of_texel(below[i + 2]));
    }
    for (int row = 0; row <= STRIP_HEIGHT; row++) {
        shift_up();
        load_row(origin.y + row + 1);
        flow_row(row);
    }
    report(strip);
}
