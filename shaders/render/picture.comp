#version 430
// Draws a state as an sRGB picture: a cell covers zoom x zoom pixels, or a pixel averages cells_a_pixel x cells_a_pixel
// cells. Only this folder uses floats; its output never enters a state.
uniform ivec2 size; // cells that the textures hold; `place.glsl` tells which ones

#include "generated/images.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 picture_size;
uniform int zoom;
uniform int cells_a_pixel;
uniform int first_row; // first row to draw; picture_size.y is the row after the last
uniform ivec2 offset;  // pixel of the top left corner of the part of the world that is drawn
uniform ivec2 corner;  // the first cell of this part, among those that the textures hold
uniform ivec2 extent;  // its cells
uniform vec3 beyond;   // colour outside of it

#include "generated/draw.glsl"

// Linear light of a cell: pixels average light, not sRGB values, so that fine spray on a bright background keeps its
// brightness.
vec3 light_of(ivec2 cell, vec2 at)
{
    vec3 colour = draw(cell, at);
    return colour * colour;
}

void main()
{
    ivec2 pixel = invocation() + ivec2(0, first_row);
    if (pixel.x >= picture_size.x || pixel.y >= picture_size.y)
        return;
    ivec2 place = pixel - offset;
    // As floats: a division of integers takes software OpenGL as long as all else of a cell.
    ivec2 first = ivec2(floor((vec2(place * cells_a_pixel) + 0.5) / float(zoom)));
    bool is_beyond = place.x < 0 || place.y < 0 || first.x >= extent.x || first.y >= extent.y;
    if (is_beyond)
        place = first = ivec2(0);
    vec2 at = (vec2(place - first * zoom) + 0.5) / float(zoom);
    vec3 light = vec3(0.0);
    ivec2 last = min(first + cells_a_pixel, extent) + corner;
    first += corner;
    ivec2 cell = first, count = last - first;
    // Tested at its end: llvmpipe runs the body of a loop that is tested at its beginning once more than needed.
    do {
        light += light_of(cell, at);
        cell = cell.x + 1 < last.x ? cell + ivec2(1, 0) : ivec2(first.x, cell.y + 1);
    } while (cell.y < last.y);
    vec3 colour = is_beyond ? beyond : sqrt(light / float(count.x * count.y));
    store_picture(pixel, vec4(colour, 1.0));
}
