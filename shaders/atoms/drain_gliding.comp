#version 430
// A drain of rule atoms takes the atoms that glide to it; crossing.glsl has the law. Twin: oracle.atoms.drain_gliding.
#include "generated/images.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const bool ACROSS = true;

#include "atoms/crossing.glsl"

#include "atoms/gliding.glsl"

void main()
{
    Port port = served_port();
    if (!owns_cell(port) || port.atom_chance < CERTAIN)
        return;
    ivec2 at = to_frame(owned_cell(port), size);
    pick_side(at);
    take_crossing(port, at, at.y);
}
