#version 430
// A drain of rule mixture: each of its cells loses of each material at a rate.
// Law: what is taken is counted. Twin: oracle.mixture.drain.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "mixture/cells.glsl"
#include "mixture/waking.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 port_at; // the drain's first cell
uniform ivec2 port_size;
uniform int rate; // units a tick

void main()
{
    ivec2 offset = invocation();
    if (offset.x >= port_size.x || offset.y >= port_size.y)
        return;
    ivec2 cell = port_at + offset;
    bool any = false;
    for (int layer = 0; layer < LAYERS; layer++) {
        int now = load_mixture(cell, layer);
        int taken = clamp(now, 0, rate);
        if (taken == 0)
            continue;
        store_mixture(cell, layer, now - taken);
        count_drained_amount(layer, uint(taken), tick);
        any = true;
    }
    if (any)
        note_change(cell);
}
