#version 430
// Put the first states of some worlds of a batch back. Law: a world that is not chosen keeps its texels.
// Twin: none; the host compares digests with those of the first states.
#include "generated/images.glsl"
#include "generated/world.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = 0) readonly buffer Chosen { uint chosen[]; }; // a word a world: 1 to restore it

void main()
{
    ivec2 at = invocation();
    if (chosen[batch_world] != 0u)
        store_plane(at, load_first(at));
}
