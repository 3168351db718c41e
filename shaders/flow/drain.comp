#version 430
// A drain of rule flow: each of its cells loses mass at a rate.
// Law: what is taken is counted. Twin: oracle.flow.drain.
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/tick.glsl"
#include "lib/tiles.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 port_at; // the drain's first cell
uniform ivec2 port_size;
uniform int rate; // units in this substep

void main()
{
    ivec2 offset = invocation();
    if (offset.x >= port_size.x || offset.y >= port_size.y)
        return;
    ivec2 cell = port_at + offset;
    int now = load_mass(cell);
    int taken = clamp(now, 0, rate);
    if (taken == 0)
        return;
    store_mass(cell, now - taken);
    note_latest(tick);
    note_cell(CHANGED, cell, size, tick);
    count_drained(uvec2(taken, 0), tick);
}
