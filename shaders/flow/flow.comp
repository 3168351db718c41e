#version 430
// The next mass of each cell, gathered from the old masses of its neighbours. Law: the mass that a cell sends another
// cell receives; none is made or lost. Twin: oracle.flow.flow.
//
// Each invocation slides a window of three rows down its strip and computes the outflow of each cell about once, where
// a cell by itself would compute five. The new mass of a row is stored one row late, when the outflow upward of the row
// below is known.
//
// In a world in which no other pass runs an invocation can compute TICKS = 2 ticks at once: a second window takes the
// rows that the first gives, so that each mass is loaded and stored once for both. The result is that of two runs.
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

// For each tick two more columns beyond the strip on each side: one whose outflow enters the cells that the next tick
// reads, and one that this outflow depends on.
const int BESIDE = 2 * TICKS;
const int WINDOW = STRIP_WIDTH + 2 * BESIDE;
const int LAST = TICKS - 1; // the ticks are counted from 0

// The columns of the window of each tick, in gravity's frame, counted from the side that is served first in it, so that
// the same code serves both sides.
int column[TICKS][WINDOW]; // x in the frame, also beyond the world
int inside[TICKS][WINDOW]; // a mask: -1 in the world, 0 beyond
int source[WINDOW];        // the x of the place inside the world that is read for a column of the first tick
ivec2 origin;

// Of each tick:
int above[TICKS][WINDOW], here[TICKS][WINDOW], below[TICKS][WINDOW];
int kept[TICKS][WINDOW];    // the next texels of the row above, without the outflow up from this row
int falling[TICKS][WINDOW]; // the outflow down from the row above

int seen = 0;                 // not 0 if the tiles of atoms must be awake after a change in a cell of the strip
int seen_own = 0;             // not 0 if atoms see a change in a cell that is counted
uint flowed = 0u;             // not 0 if a cell of the strip sent any mass
uvec2 moved_units = uvec2(0); // that the counted cells of the strip sent in the last tick
uvec2 left_units[TICKS];      // the part of the units sent in each tick that crossed the edge of the world

void find_columns()
{
    ivec2 frame = frame_size(size);
    for (int k = 0; k < TICKS; k++) {
        int coin = first_side(world_tick(origin) + uint(k), substep);
        for (int i = 0; i < WINDOW; i++) {
            column[k][i] = origin.x + (coin == 0 ? i - BESIDE : STRIP_WIDTH + BESIDE - 1 - i);
            inside[k][i] = column[k][i] >= 0 && column[k][i] < frame.x ? -1 : 0;
        }
    }
    for (int i = 0; i < WINDOW; i++)
        source[i] = inside_world(ivec2(column[0][i], 0), frame).x;
}

#ifdef FOURS
// Four cells of a row of the world are loaded and stored at once. The first column of the strip is the first of four.
const int FOUR = 4;

// Exchange the order of the world and that of the window of a tick, whose columns may run against those of the world.
ivec4 in_order(ivec4 four, int k)
{
    bool backward = column[k][0] > column[k][1];
    return backward != (GRAVITY == GRAVITY_UP) ? four.wzyx : four;
}

ivec4 next_four;

void store_texel(int i, int y, int next)
{
    next_four[(i - BESIDE) % FOUR] = next;
    if ((i - BESIDE) % FOUR == FOUR - 1)
        store_four_mass(to_world(ivec2(column[LAST][i], y), size), in_order(next_four, LAST));
}

int any_texel(ivec2 at) { return load_four_mass(at).x; }
int any_next_texel(ivec2 at) { return load_next_four_mass(at).x; }

void load_texels(int y)
{
    for (int i = -(BESIDE % FOUR); i < WINDOW; i += FOUR) { // the window of one tick begins and ends with half of four
        ivec2 at = to_world(ivec2(source[min(i + FOUR / 2, WINDOW - 1)], y), size);
        ivec4 four = in_order(load_four_mass(at), 0);
        for (int j = 0; j < FOUR; j++)
            if (i + j >= 0 && i + j < WINDOW)
                below[0][i + j] = four[j];
    }
}
#else
void store_texel(int i, int y, int next) { store_mass_texel(to_world(ivec2(column[LAST][i], y), size), next); }
int any_texel(ivec2 at) { return load_mass_texel(at); }
int any_next_texel(ivec2 at) { return load_next_mass_texel(at); }

void load_texels(int y)
{
    for (int i = 0; i < WINDOW; i++)
        below[0][i] = load_mass_texel(to_world(ivec2(source[i], y), size));
}
#endif

// The texel of a cell as its neighbours read it, from what is stored, or computed, for it. `within`: a mask, 0 if the
// cell lies beyond the world.
int texel_within(int texel, int within)
{
    if (EDGES == EDGES_CLOSED)
        return texel | ~within; // sets SOLID_BIT
    return EDGES == EDGES_OPEN ? texel & within : texel;
}

// Read a row into `below` of the first tick.
void load_row(int y)
{
    load_texels(inside_world(ivec2(0, y), frame_size(size)).y);
    int row = row_inside(y);
    for (int i = 0; i < WINDOW; i++)
        below[0][i] = texel_within(below[0][i], inside[0][i] & row);
}

// The loop runs backward. Mesa 25.0 replaces a forward loop that copies an array by one copy of the whole, and then
// reads what is stored into `below` later as what was copied.
void shift_up(int k)
{
    for (int i = WINDOW - 1; i >= 0; i--) {
        above[k][i] = here[k][i];
        here[k][i] = below[k][i];
    }
}

// The place of a column in the window of the next tick.
int next_place(int i) { return SIDE_ORDER == SIDE_ORDER_ALTERNATE ? WINDOW - 1 - i : i; }

// The part of the outflow of column i of the window that crosses the edge of the world.
int leaving(Outflow sent, int k, int i, int row_above, int row_below)
{
    return (sent.first & ~inside[k][i - 1]) + (sent.second & ~inside[k][i + 1]) + (sent.up & ~row_above) +
        (sent.down & ~row_below);
}

// Compute the outflows of a row of the strip in tick k, and the next masses of the row above it, which are stored, or
// become the row below those of the next tick. Rows beyond the strip are computed too, but not counted.
void flow_row(int k, int row)
{
    int y = origin.y + row;
    bool owned = row >= 0 && row < STRIP_HEIGHT;
    int stored_y = row > 0 ? y - 1 : -1, stored = row > 0 ? row_inside(y - 1) : 0;
    int row_counted = owned ? own_mask(y) : 0;
    int row_above = row_inside(y - 1), row_below = row_inside(y + 1);
    uvec2 sent_units = uvec2(0), gone_units = uvec2(0);
    uint sent_by_four = 0u, gone_by_four = 0u, any = 0u;
    int first = 2 * (k + 1), end = WINDOW - first;
    Outflow before =
        outflow(here[k][first - 1], below[k][first - 1], here[k][first - 2], here[k][first], above[k][first - 1]);
    Outflow sent = outflow(here[k][first], below[k][first], here[k][first - 1], here[k][first + 1], above[k][first]);
    for (int i = 0; i < WINDOW; i++) { // as many turns as the arrays have elements, so that the compiler unrolls it
        if (i >= first && i < end) {
            Outflow after = outflow(here[k][i + 1], below[k][i + 1], here[k][i], here[k][i + 2], above[k][i + 1]);
            int next = kept[k][i] + sent.up, column_counted = own_column_mask(column[k][i]);
            if (k < LAST) {
                below[k + 1][next_place(i)] = texel_within(next, inside[k][i] & row_above);
            } else {
                store_texel(i, stored_y, next);
                int before_tick = amount_of_texel(above[k][i]), after_tick = amount_of_texel(next);
                seen |= waking_change(before_tick, after_tick) & inside[k][i] & stored;
                int own = inside[k][i] & stored & own_mask(y - 1) & column_counted;
                seen_own |= seen_change(before_tick, after_tick) & own;
            }
            int units = total(sent);
            kept[k][i] = here[k][i] - units + before.second + after.first + falling[k][i];
            falling[k][i] = sent.down;
            if (i >= BESIDE && i < WINDOW - BESIDE) {
                // On a torus the cells beyond the last row and column belong to another strip, which counts them.
                if (EDGES == EDGES_WRAP)
                    units &= inside[k][i] & row_inside(y);
                any |= uint(units);
                sent_by_four += uint(units & column_counted);
                if (EDGES == EDGES_OPEN)
                    gone_by_four += uint(leaving(sent, k, i, row_above, row_below) & column_counted);
                if ((i - BESIDE) % 4 == 3 || i == WINDOW - BESIDE - 1) { // 32 bits hold at most four times MASS_LIMIT
                    sent_units = add64(sent_units, uvec2(sent_by_four, 0));
                    gone_units = add64(gone_units, uvec2(gone_by_four, 0));
                    sent_by_four = gone_by_four = 0u;
                }
            }
            before = sent;
            sent = after;
        }
    }
    flowed |= owned ? any : 0u;
    if (k == LAST)
        moved_units = add64(moved_units, sent_units & uint(row_counted));
    left_units[k] = add64(left_units[k], gone_units & uint(row_counted));
}

#ifdef FETCH_AHEAD
// A processor waits for memory line by line, unless it is asked for all of them at once: touch every line of the strip
// that will be read and written. Returns 0, which the compiler cannot know: no mass is above its limit.
uint fetch_strip()
{
    const int LINE = 16; // texels in a line of the cache
    const ivec2 STEP = UPRIGHT ? ivec2(LINE, 1) : ivec2(1, LINE);
    int most = 0;
    for (int y = origin.y - TICKS; y < origin.y + STRIP_HEIGHT + 2 * TICKS; y += STEP.y)
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
    uint last_tick = tick + uint(LAST);
    if (flowed != 0u) {
        note_latest(last_tick);
        note_cell(CHANGED, origin, frame_size(size), last_tick);
    }
    if (seen_own != 0)
        mark_active(last_tick);
    if (seen != 0)
        note_seen(origin, origin + ivec2(STRIP_WIDTH, STRIP_HEIGHT) - 1);
    if (substep > 0u)
        moved_units = add64(moved_units, load_moved(strip));
    store_moved(strip, moved_units);
    if (EDGES == EDGES_OPEN) {
        if (left_units[LAST] != uvec2(0))
            count_left(left_units[LAST], last_tick);
        if (LAST > 0 && left_units[0] != uvec2(0))
            count_left(left_units[0]);
    }
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
    for (int k = 0; k < TICKS; k++) {
        left_units[k] = uvec2(0);
        for (int i = 0; i < WINDOW; i++)
            here[k][i] = below[k][i] = kept[k][i] = falling[k][i] = 0;
    }
    load_row(origin.y - LAST - 1);
    shift_up(0);
    load_row(origin.y - LAST);
    for (int i = 2; i < WINDOW - 2; i++)
        falling[0][i] = flow_down(free_of_texel(here[0][i]), receiver_of_texel(below[0][i]));
    // The second tick lags behind the first by two rows. Its first three rows lie above the strip: what it computes for
    // them is wrong and not stored, but for the outflow down into the first row of the strip.
    for (int row = -LAST; row <= STRIP_HEIGHT + 2 * LAST; row++) {
        shift_up(0);
        load_row(origin.y + row + 1);
        if (LAST > 0)
            shift_up(LAST);
        flow_row(0, row);
        if (LAST > 0)
            flow_row(LAST, row - 2);
    }
    report(strip);
}
