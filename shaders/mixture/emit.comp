#version 430
// An emitter of rule mixture: adds its material to each of its cells at a rate, up to a level and to the cell's room,
// with a chance. Solid cells get none. Law: all units added are counted. Twin: oracle.mixture.emit.
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
    ivec2 cell = owned_cell(port), at = to_frame(cell, size);
    int now = load_mixture(cell, port.layer);
    uint roll = noise(at, uint(USE_EMIT) + port_number() * uint(STEP_EMIT)).x >> 1;
    if (load_mixture_is_solid(cell, port.layer) || roll >= port.chance)
        return;
    int added = clamp(min(port.level - now, rate_now(port)), 0, min(FULL - now, room_of_all(Place(at, true))));
    if (added == 0)
        return;
    store_mixture(cell, port.layer, now + added);
    note_change(at);
    count_emitted_amount(port.layer, uint(added), tick);
#ifdef HAS_WATER_HEAT
    count_emitted_water_heat(add_heat(port, cell, added));
#endif
}
