#version 430
// Each atom that can move counts one stride more. Twin: support.walkers.oracle.walk.
#include "generated/cell.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/materials.glsl"
#include "generated/tick.glsl"
#include "walkers/most.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 cell = invocation();
    if (cell.x >= size.x || cell.y >= size.y)
        return;
    uint before = load_steps(cell);
    bool mobile = STATE_OF[load_material(cell)] >= STATE_POWDER;
    uint after = mobile ? min(before + uint(STRIDE), uint(MOST)) : before;
    if (after == before)
        return;
    store_journey(cell, journey_word(after));
    count_made_steps(uvec2(after - before, 0), tick);
}
