#version 430
// A picture of a pixel a cell, enlarged: what a window shows of a world that has nothing smaller than a cell.
#include "generated/images.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 picture_size;
uniform int zoom;
uniform int first_row;
uniform ivec2 rest; // of the first cell, the part that lies outside

void main()
{
    ivec2 pixel = invocation() + ivec2(0, first_row);
    if (pixel.x < picture_size.x && pixel.y < picture_size.y)
        store_picture(pixel, load_cells_picture((pixel + rest) / zoom));
}
