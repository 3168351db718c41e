#version 430
// The exact sums of the fields of one plane, and the smallest and largest values of the fields that declare them.
// An invocation works down a part of a column. Integer sums with carries do not depend on the order of work.
// Twin: gpufluid/world/statistics.py.
#include "generated/cell.glsl"
#include "generated/counts.glsl"
#include "generated/images.glsl"
#include "generated/materials.glsl"
#include "lib/wide.glsl"

#include "generated/summary.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 own_size;  // (width, height) of the cells that are summed
uniform ivec2 own_first; // the top left one

void main()
{
    int x = invocation().x;
    int top = invocation().y * ROWS;
    if (x >= own_size.x || top >= own_size.y)
        return;
    for (int y = top; y < min(top + ROWS, own_size.y); y++)
        sum_up(own_first + ivec2(x, y));
    add_sums();
}
