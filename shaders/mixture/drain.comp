#version 430
// A drain of rule mixture: removes each material from each of its cells at a rate. Law: all units removed are counted.
// Twin: oracle.mixture.drain.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "mixture/cells.glsl"
#include "mixture/waking.glsl"
#include "lib/ports.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    Port port = served_port();
    if (!owns_cell(port))
        return;
    ivec2 cell = owned_cell(port);
    bool any = false;
    for (int layer = 0; layer < LAYERS; layer++) {
        int now = load_free_mixture(cell, layer);
        int taken = min(now, rate_now(port));
        if (taken == 0)
            continue;
        store_mixture(cell, layer, now - taken);
        count_drained_amount(layer, uint(taken), tick);
        any = true;
    }
    if (any)
        note_change(to_frame(cell, size));
}
