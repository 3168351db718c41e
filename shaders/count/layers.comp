#version 430
// The exact sum of each layer of a plane. An invocation adds up a part of a column of one layer. Integer sums with
// carries do not depend on the order of work. Twin: numpy.sum.
#include "generated/cell.glsl"
#include "generated/counts.glsl"

uniform ivec2 size;      // of the world: layers lie one below the other
uniform ivec2 own_size;  // (width, height) of the cells that are summed
uniform ivec2 own_first; // the top left one
uniform int parts;       // of a column

#include "generated/images.glsl"

#include "generated/summary.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    int x = invocation().x, layer = invocation().y / parts;
    int top = invocation().y % parts * ROWS;
    if (x >= own_size.x || layer >= LAYERS_MOST)
        return;
    uint part = 0u; // at most 64 full cells
    for (int y = top; y < min(top + ROWS, own_size.y); y++)
        part += amount_at(own_first + ivec2(x, y), layer);
    if (part > 0u)
        add_to_layer(layer, part);
}
