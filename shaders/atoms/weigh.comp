#version 430
// Find where runs of a column pass each other, and by how many cells. The four words of a strip of a column have a bit
// for each row: the rows with which runs begin; those whose run moves down through the run below, not that run up; and
// the number of cells, in two planes. Law: this pass only finds; sink.comp moves. Twin: oracle.atoms.weigh.
// Source: seed 002, "Solid movable cells"; seed 004, "Powder Atom Movement".
#include "generated/images.glsl"
#include "atoms/runs.glsl"
#include "atoms/waking.glsl"

#include "generated/layout.glsl"

// How two runs pass each other in this tick.
struct Passing {
    bool down; // the upper run moves down; false: the lower run moves up
    int cells;
};

// Test if it is the upper of two runs that moves: a powder always does, else a drop in a lighter fluid or in the open,
// or a bubble, and where both or neither is one, the shorter.
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

// How the run that ends at a place and the run below it pass each other. Where three runs would, only the upper two do,
// so that no run moves twice.
Passing passing_at(ivec2 at, Weight upper, Weight lower, int rows)
{
    int above = 1, below = 1, most = min(2 * RUN_MOST, rows - 1);
    Weight first = upper, over = weight_at(at - ivec2(0, 1));
    while (above < most && is_same_run(over, upper)) {
        first = over;
        above++;
        over = weight_at(at - ivec2(0, above));
    }
    Weight under = weight_at(at + ivec2(0, 2));
    while (below < RUN_MOST && below < rows - 1 && is_same_run(under, lower)) {
        below++;
        under = weight_at(at + ivec2(0, 1 + below));
    }
    bool waits = !is_same_run(over, upper) && pass_each_other(over, first);
    above = min(above, RUN_MOST);
    bool down = upper_moves(over, upper, lower, under, above, below);
    int speed = down ? sinking_speed(upper, lower, above) : rising_speed(upper, lower);
    bool creeps = is_fluid(upper) && lower.state == STATE_LIQUID;
    int step = creeps ? random_step(speed, at) : steady_step(speed, world_tick(at));
    return Passing(down, waits ? 0 : min(step, min(down ? below : above, STEP_MOST)));
}

void main()
{
    ivec2 strip = strip_index(), frame = frame_size(size);
    int first = strip.y * STRIP;
    if (strip.x >= frame.x || first >= frame.y || GRAVITY == GRAVITY_OFF)
        return;
    uvec4 runs = uvec4(0u);
    bool found = false;
    Weight over = weight_at(ivec2(strip.x, first - 1)), upper = weight_at(ivec2(strip.x, first));
    for (int i = 0; i < STRIP && first + i < frame.y; i++) {
        ivec2 at = ivec2(strip.x, first + i);
        Weight lower = weight_at(at + ivec2(0, 1));
        runs.x |= is_same_run(over, upper) ? 0u : 1u << i;
        if (pass_each_other(upper, lower)) {
            found = true;
            Passing passing = passing_at(at, upper, lower, frame.y);
            runs.yzw |= uvec3(passing.down ? 1u : 0u, passing.cells & 1, passing.cells >> 1) << i;
        }
        over = upper;
        upper = lower;
    }
    if (found) {
        mark_active(tick);
        note_latest(tick);
        note_cell(SINKING, ivec2(strip.x, first), frame, tick);
    }
    store_runs(strip, runs);
}
