#version 430
// Rule flow: every cell's next mass, gathered from the old masses of its neighbours.
// Law: what one cell sends another receives; mass moves, none is made or lost. Twin: oracle.flow.flow.
// There are two ways to the same state: strips, for processors, and tiles in shared memory, meant for GPUs.
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/strip.glsl"
#include "lib/edges.glsl"
#include "lib/flow.glsl"
#include "lib/wide.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 size;
uniform uint tick;
uniform uint substep;

// What this invocation's cells sent, and what of that crossed the world's edge.
void note(uvec2 moved_units, uvec2 left_units)
{
    ivec2 strip = invocation();
    if (substep > 0u)
        moved_units = add64(moved_units, imageLoad(moved, strip).xy);
    imageStore(moved, strip, uvec4(moved_units, 0, 0));
    if (EDGES == EDGES_OPEN && left_units != uvec2(0))
        count_left(left_units, tick);
}

#ifdef TILES
#include "flow/tiles.glsl"
#else
#include "flow/strips.glsl"
#endif
