#version 430
// Write scattered words of a buffer, such as tile flags of many worlds of a batch. Law: words[place] = value for each
// pair; all other words stay. Twin: none; the host compares the buffer with what NumPy makes of it.

#include "generated/images.glsl"
#include "generated/pairs.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = 0) readonly buffer Pairs { uvec2 pairs[]; }; // place and value
layout(std430, binding = 1) buffer Words { uint words[]; };
uniform int pair_count;

void main()
{
    int number = invocation().y * ROW + invocation().x;
    if (number < pair_count)
        words[pairs[number].x] = pairs[number].y;
}
