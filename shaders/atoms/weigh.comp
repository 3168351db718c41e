#version 430
// Find where runs of a column pass each other, and by how many cells. The result is four words for each strip of a
// column, with one bit for each row. Bit of word x: a run begins with this row. Word y: of the run that ends with this
// row and the run below, the upper one moves down; 0: the lower one moves up. Words z and w: the low and the high bit
// of the number of cells by which it moves. A stack of light powder that sinks or rises on water by mass has its bits
// of y and z at its lowest cell. Law: this pass only finds; sink.comp moves. Twin: oracle.atoms.weigh.
// Source: seed 002, "Solid movable cells"; seed 004, "Powder Atom Movement".
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "atoms/floating.glsl"
#include "atoms/waking.glsl"

#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// The move by which two runs pass each other in this tick.
struct Passing {
    bool down; // the upper run moves down; false: the lower run moves up
    int cells;
};

// Test if the upper of two runs moves. If one run is powder, that run moves. Else the upper run moves if it is a drop,
// in the open or in a lighter fluid, and the lower run moves if it is a bubble. If both are true or neither is, the
// shorter run moves.
bool upper_moves(Weight over, Weight upper, Weight lower, Weight under, int above, int below)
{
    bool drop = over.material == 0 || is_same_run(over, lower), bubble = is_same_run(under, upper);
    bool shorter = drop == bubble ? above <= below : drop;
    return is_powder(upper) || (!is_powder(lower) && shorter);
}

// A number of cells for a speed in 1/16 cell a tick: in half of the ticks none, in the others twice as many, rounded up
// or down by chance, so that neighbours do not move in step.
int random_step(int speed, ivec2 at)
{
    uint word = noise(at, USE_WEIGH).z;
    return int(word >> 31) * (2 * speed + int(word & 15u)) >> 4;
}

// Test if a run of gas that begins at a place is a bubble one cell wide in a liquid: it rises slower, the fewer cells
// it has, so that others join it.
bool is_small_bubble(ivec2 at, Weight upper, Weight lower)
{
    bool beside = is_same_run(weight_at(at - ivec2(1, 0)), lower) || is_same_run(weight_at(at + ivec2(1, 0)), lower);
    return upper.state == STATE_LIQUID && lower.state == STATE_GAS && !beside;
}

// Compute how the run that ends at a place and the run below it pass each other. Of three runs that could pass each
// other only the upper two do, so that no run moves twice. The upper run is known to have `above` cells at least, the
// lower run `below`.
Passing passing_at(ivec2 at, int above, int below, int rows)
{
    int most_above = min(2 * RUN_MOST, rows - 1), most_below = min(RUN_MOST, rows - 1);
    Weight upper = weight_at(at), lower = weight_at(at + ivec2(0, 1));
    Weight over = weight_at(at - ivec2(0, above)), under = weight_at(at + ivec2(0, 1 + below));
    while (above < most_above && is_same_run(over, upper)) {
        above++;
        over = weight_at(at - ivec2(0, above));
    }
    while (below < most_below && is_same_run(under, lower)) {
        below++;
        under = weight_at(at + ivec2(0, 1 + below));
    }
    Weight first = weight_at(at - ivec2(0, above - 1));
    bool waits = !is_same_run(over, upper) && pass_each_other(over, first);
    above = min(above, RUN_MOST);
    above = is_amount(upper) ? denser_above(at, above, lower) : above;
    below = is_amount(lower) ? lighter_below(at, below, upper) : below;
    bool down = upper_moves(over, upper, lower, under, above, below);
    int speed = passing_speed(down, upper, lower, above);
    if (!down && below < BUBBLE && is_small_bubble(at + ivec2(0, 1), upper, lower))
        speed = max(speed * below / BUBBLE, 1);
    int step = creeps(upper, lower) ? random_step(speed, at) : steady_step(speed, world_tick(at));
    return Passing(down, waits ? 0 : min(step, min(down ? below : above, STEP_MOST)));
}

// Test if a row with a bit in `rows` lies outside the halo. The strip begins with row `first`.
bool any_own(uint rows, int first)
{
    bool found = false;
    for (; HAS_HALO && rows != 0u && !found; rows &= rows - 1u)
        found = own_mask(first + findLSB(rows)) != 0;
    return found || !HAS_HALO;
}

void main()
{
    ivec2 strip = unit(), frame = frame_size(size);
    int first = strip.y * STRIP;
    if (strip.x >= frame.x || first >= frame.y || GRAVITY == GRAVITY_OFF)
        return;
    // First the cheap test, cell after cell; the lengths of runs follow only where two runs pass each other.
    int cells = min(STRIP, frame.y - first);
    uint begins = 0u, passes = 0u, floating = 0u;
    Weight upper = weight_at(ivec2(strip.x, first - 1));
    for (int i = 0; i < cells; i++) {
        Weight lower = weight_of(atom_at(ivec2(strip.x, first + i)));
        begins |= is_same_run(upper, lower) ? 0u : 1u << i;
        passes |= pass_each_other(upper, lower) ? 1u << i : 0u;
        floating |= floats(upper, lower) ? 1u << i : 0u;
        upper = lower;
    }
    Weight lower = weight_at(ivec2(strip.x, first + cells));
    passes = passes >> 1 | (pass_each_other(upper, lower) ? 1u << (cells - 1) : 0u);
    floating = floating >> 1 | (floats(upper, lower) ? 1u << (cells - 1) : 0u);
    uvec4 runs = uvec4(begins, 0u, 0u, 0u);
    for (uint rows = passes; rows != 0u; rows &= rows - 1u) {
        int row = findLSB(rows), above = cells_up(begins, row), below = cells_down(begins, row, cells);
        Passing passing = passing_at(ivec2(strip.x, first + row), above, below, column_rows());
        runs.yzw |= uvec3(passing.down ? 1u : 0u, passing.cells & 1, passing.cells >> 1) << row;
    }
    // The tile of a stack stays awake, because the pressure of the water that bears it may change far below.
    uint moves = passes;
    for (uint rows = floating; rows != 0u; rows &= rows - 1u) {
        int row = findLSB(rows);
        ivec2 at = ivec2(strip.x, first + row);
        int direction = direction_of_stack(at, weight_at(at), cells_up(begins, row), column_rows());
        moves |= direction != 0 ? 1u << row : 0u;
        direction = may_float(at) ? direction : 0;
        runs.yz |= uvec2(direction > 0 ? 1u : 0u, direction != 0 ? 1u : 0u) << row;
    }
    if (moves != 0u && own_column_mask(strip.x) != 0 && any_own(moves, first))
        mark_active(tick);
    if ((passes | floating) != 0u) {
        note_latest(tick);
        note_cell(SINKING, ivec2(strip.x, first), frame, tick);
    }
    store_runs(strip, runs);
}
