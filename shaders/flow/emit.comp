#version 430
// An emitter of rule flow: adds mass to each of its cells at a rate, up to a level, with a chance. Solid cells get
// none; beside atoms, only cells without an atom get any. Law: all mass added is counted. Twin: oracle.flow.emit.
#include "generated/flow.glsl"
#include "flow/ports.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    Port port = served_port();
    if (!owns_cell(port))
        return;
    ivec2 cell = owned_cell(port);
    int now = load_mass(cell), added = added_mass(port, cell, now);
    if (added == 0)
        return;
    store_mass(cell, now + added);
    note_port(cell);
    count_emitted(uvec2(added, 0), tick);
#ifdef HAS_WATER_HEAT
    count_emitted_water_heat(add_heat(port, cell, added));
#endif
}
