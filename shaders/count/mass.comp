#version 430
// The mass of a world, to the last unit; a solid cell's counts as 0. An invocation adds up a part of a column.
// The additions are of integers with their carries, so that any order of work ends the same. Twin: numpy.sum.
#include "generated/counts.glsl"
#include "generated/images.glsl"
#include "lib/wide.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 size;

void main()
{
    int x = invocation().x;
    int top = invocation().y * ROWS;
    if (x >= size.x || top >= size.y)
        return;
    uvec2 part = uvec2(0);
    for (int y = top; y < min(top + ROWS, size.y); y++)
        part = add64(part, uvec2(max(load_mass(ivec2(x, y)), 0), 0));
    if (part != uvec2(0))
        add_to_units(part);
}
