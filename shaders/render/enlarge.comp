#version 430
// Enlarges a picture of one pixel a cell by a whole factor. Used where no rule draws details within a cell.
#include "generated/images.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 picture_size;
uniform int zoom;
uniform int first_row;
uniform ivec2 rest; // pixels of the first cell that lie outside the window

void main()
{
    ivec2 pixel = invocation() + ivec2(0, first_row);
    ivec2 cell = ivec2((vec2(pixel + rest) + 0.5) / float(zoom)); // see picture.comp for the reason for floats
    if (pixel.x < picture_size.x && pixel.y < picture_size.y)
        store_picture(pixel, load_cells_picture(cell));
}
