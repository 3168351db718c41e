#version 430
// An emitter of rule mixture: each of its cells, with a chance, gets its material at a rate, up to a level and its
// room. Law: what is added is counted. Solid cells get nothing. Twin: oracle.mixture.emit.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "mixture/cells.glsl"
#include "mixture/waking.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform uint number;   // the emitter's place among the world's emitters
uniform ivec2 port_at; // its first cell
uniform ivec2 port_size;
uniform int layer;   // of its material
uniform int rate;    // units a tick
uniform int level;   // units
uniform uint chance; // 2**31sts

void main()
{
    ivec2 offset = invocation();
    if (offset.x >= port_size.x || offset.y >= port_size.y)
        return;
    ivec2 cell = port_at + offset;
    Place place = Place(cell, true);
    int now = held(place, layer);
    uint roll = noise(cell, uint(USE_EMIT) + number * uint(STEP_EMIT)).x >> 1;
    if (is_solid_in(now) || roll >= chance)
        return;
    int added = clamp(min(level - now, rate), 0, min(FULL - now, room_of_all(place)));
    if (added == 0)
        return;
    store_mixture(cell, layer, now + added);
    note_change(cell);
    count_emitted_amount(layer, uint(added), tick);
}
