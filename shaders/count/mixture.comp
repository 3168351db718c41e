#version 430
// The units of each layer of a mixture, to the last one; a solid cell's count as 0. An invocation adds up a part of a
// column of one layer. The additions are of integers with their carries, so that any order of work ends the same.
// Twin: numpy.sum.
#include "generated/counts.glsl"

uniform ivec2 size;
uniform int parts; // of a column

#include "generated/images.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    int x = invocation().x, layer = invocation().y / parts;
    int top = invocation().y % parts * ROWS;
    int low = 2 * layer;
    if (x >= size.x || low >= amounts.length())
        return;
    uint part = 0u; // of no more than 64 full cells
    for (int y = top; y < min(top + ROWS, size.y); y++)
        part += uint(max(load_mixture(ivec2(x, y), layer), 0));
    if (part > 0u && atomicAdd(amounts[low], part) + part < part)
        atomicAdd(amounts[low + 1], 1u);
}
