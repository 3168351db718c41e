#version 430
// A drain of rule flow: removes mass from each of its cells at a rate. Law: all mass removed is counted.
// Twin: oracle.flow.drain.
#include "generated/flow.glsl"
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
    store_mass(cell, now - taken);
    note_port(cell);
    count_drained(uvec2(taken, 0), tick);
#ifdef HAS_WATER_HEAT
    count_drained_water_heat(take_heat(cell, now, taken));
#endif
}
