#version 430
// State to sRGB: a cell covers zoom by zoom pixels, or a pixel averages cells_a_pixel by cells_a_pixel cells.
// The only folder with floats: nothing here is ever read back into a state.
#include "generated/images.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 size;
uniform ivec2 picture_size;
uniform int zoom;
uniform int cells_a_pixel;

#include "generated/draw.glsl"

// An average of light, not of sRGB numbers: fine spray over a bright ground keeps its brightness.
vec3 light_of(ivec2 cell, vec2 at)
{
    vec3 colour = draw(cell, at);
    return colour * colour;
}

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (pixel.x >= picture_size.x || pixel.y >= picture_size.y)
        return;
    ivec2 first = pixel * cells_a_pixel / zoom;
    vec2 at = (vec2(pixel - first * zoom) + 0.5) / float(zoom);
    vec3 light = vec3(0.0);
    ivec2 last = min(first + cells_a_pixel, size);
    for (int y = first.y; y < last.y; y++)
        for (int x = first.x; x < last.x; x++)
            light += light_of(ivec2(x, y), at);
    ivec2 count = last - first;
    imageStore(picture, pixel, vec4(sqrt(light / float(count.x * count.y)), 1.0));
}
