#version 430
// A drain of rule mixture: removes each material from each of its cells at a rate. Law: all units removed are counted.
// Twin: oracle.mixture.drain.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "mixture/cells.glsl"
#include "mixture/noting.glsl"
#include "lib/heat_of_ports.glsl"
#include "lib/ports.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    Port port = served_port();
    if (!owns_cell(port))
        return;
    ivec2 cell = owned_cell(port);
    int mass = 0, gone = 0; // of all materials together, in units
    for (int layer = 0; layer < LAYERS; layer++) {
        int now = load_free_mixture(cell, layer);
        int taken = min(now, rate_now(port));
        mass += now;
        if (taken == 0)
            continue;
        store_mixture(cell, layer, now - taken);
        count_drained_amount(layer, uint(taken), tick);
        gone += taken;
    }
    if (gone == 0)
        return;
    note_change(to_frame(cell, size));
#ifdef HAS_WATER_HEAT
    count_drained_water_heat(take_heat(cell, mass, gone));
#endif
}
