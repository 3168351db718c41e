#version 430
// A drain of rule inertia: removes mass as one of rule flow does, and its share of the momentum, so that the rest keeps
// its speed. Law: all mass removed is counted. Twin: oracle.inertia.drain.
#include "inertia/shares.glsl"
#include "flow/ports.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    Port port = served_port();
    if (!owns_cell(port))
        return;
    ivec2 cell = owned_cell(port);
    int now = load_free_mass(cell), taken = taken_mass(port, now);
    if (taken == 0)
        return;
    int left = share_wanted((now - taken) >> 2, max(now >> 2, 1));
    ivec2 momentum = loaded_momentum(load_motion(cell));
    store_motion(cell, stored_momentum(ivec2(scaled(momentum.x, left), scaled(momentum.y, left)), now - taken));
    store_mass(cell, now - taken);
    note_port(cell);
    count_drained(uvec2(taken, 0), tick);
#ifdef HAS_WATER_HEAT
    count_drained_water_heat(take_heat(cell, now, taken));
#endif
}
