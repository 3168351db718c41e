#version 430
// A drain of rule atoms takes the atoms that rise to it; crossing.glsl has the law. Twin: oracle.atoms.drain_rising.
#include "generated/images.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const bool ACROSS = false;

#include "atoms/crossing.glsl"

#include "atoms/rising.glsl"

void main()
{
    Port port = served_port();
    if (!owns_cell(port) || port.atom_chance < CERTAIN)
        return;
    ivec2 at = to_frame(owned_cell(port), size);
    take_crossing(port, at, at.x);
}
