#version 430
// The sums of the fields of one plane, and the least and the largest value of those that say so, to the last unit.
// An invocation goes down a part of a column. The additions are of integers with their carries, so that any order of
// work ends the same. Twin: gpufluid/world/statistics.py.
#include "generated/cell.glsl"
#include "generated/counts.glsl"
#include "generated/images.glsl"
#include "generated/materials.glsl"
#include "lib/wide.glsl"

#include "generated/summary.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 size;

void main()
{
    int x = invocation().x;
    int top = invocation().y * ROWS;
    if (x >= size.x || top >= size.y)
        return;
    for (int y = top; y < min(top + ROWS, size.y); y++)
        sum_up(ivec2(x, y));
    add_sums();
}
