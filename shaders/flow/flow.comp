#version 430
// The next mass of each cell, gathered from the old masses of its neighbours. Law: the mass that a cell sends another
// cell receives; none is made or lost. Twin: oracle.flow.flow.
// Two layouts: cpu/strips.glsl for processors, shared.glsl for GPUs.
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

int seen = 0;     // not 0 if atoms see a change in a cell of the strip
int seen_own = 0; // not 0 if they see one in a cell that is counted
uint flowed = 0u; // not 0 if a cell of the strip sent any mass

// Note the mass that the own cells of a strip of gravity's frame sent, and count the part that crossed the edge of the
// world.
void report(ivec2 strip, uvec2 moved_units, uvec2 left_units)
{
    ivec2 at = strip * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    if (flowed != 0u) {
        note_latest(tick);
        note_cell(CHANGED, at, frame_size(size), tick);
    }
    if (seen_own != 0)
        mark_active(tick);
    if (seen != 0)
        note_seen(at, at + ivec2(STRIP_WIDTH, STRIP_HEIGHT) - 1);
    if (substep > 0u)
        moved_units = add64(moved_units, load_moved(strip));
    store_moved(strip, moved_units);
    if (EDGES == EDGES_OPEN && left_units != uvec2(0))
        count_left(left_units, tick);
}

#include "generated/layout.glsl"
