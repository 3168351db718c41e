#version 430
// An emitter of rule flow: each of its cells, with a chance, gets mass at a rate up to a level.
// Law: what is added is counted. Solid cells get nothing. Twin: oracle.flow.emit.
#include "generated/cell.glsl"
#include "generated/flow.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/tick.glsl"
#include "lib/chance.glsl"
#include "lib/tiles.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform uint number;   // the emitter's place among the world's emitters
uniform ivec2 port_at; // its first cell
uniform ivec2 port_size;
uniform int rate;    // units in this substep
uniform int level;   // units
uniform uint chance; // 2**31sts

void main()
{
    ivec2 offset = invocation();
    if (offset.x >= port_size.x || offset.y >= port_size.y)
        return;
    ivec2 cell = port_at + offset;
    int now = load_mass(cell);
    uint roll = noise(cell, uint(USE_EMIT) + number * uint(STEP_EMIT)).x >> 1;
    int added = clamp(level - now, 0, rate);
    if (is_solid_in(now) || roll >= chance || added == 0)
        return;
    store_mass(cell, now + added);
    note_latest(tick);
    note_cell(CHANGED, cell, size, tick);
    count_emitted(uvec2(added, 0), tick);
}
