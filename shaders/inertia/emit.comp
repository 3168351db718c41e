#version 430
// An emitter of rule inertia: adds mass as one of rule flow does, with the momentum of its velocity. A jet faster than
// THROWN_MOST would jam. Law: all mass added is counted. Twin: oracle.inertia.emit.
#include "inertia/shares.glsl"
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
    ivec2 velocity = clamp(port.velocity, -THROWN_MOST, THROWN_MOST);
    ivec2 given = min(added, CARRIED_MOST) / VELOCITY_ONE * velocity;
    store_motion(cell, stored_momentum(loaded_momentum(load_motion(cell)) + given, now + added));
    store_mass(cell, now + added);
    note_port(cell);
    count_emitted(uvec2(added, 0), tick);
#ifdef HAS_WATER_HEAT
    count_emitted_water_heat(add_heat(port, cell, added));
#endif
}
