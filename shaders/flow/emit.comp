#version 430
// An emitter of rule flow: adds mass to each of its cells at a rate, up to a level, with a chance. Solid cells get
// none. Law: all mass added is counted. Twin: oracle.flow.emit.
#include "generated/cell.glsl"
#include "generated/flow.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/tick.glsl"
#include "lib/chance.glsl"
#include "lib/tiles.glsl"
#include "lib/ports.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    Port port = served_port();
    if (!owns_cell(port))
        return;
    ivec2 cell = owned_cell(port);
    int now = load_mass(cell);
    uint roll = noise(cell, uint(USE_EMIT) + number * uint(STEP_EMIT)).x >> 1;
    int added = clamp(port.level - now, 0, rate_now(port));
    if (load_mass_is_solid(cell) || roll >= port.chance || added == 0)
        return;
    store_mass(cell, now + added);
    note_latest(tick);
    note_cell(CHANGED, cell, size, tick);
    count_emitted(uvec2(added, 0), tick);
}
