#version 430
// Draws a picture in another size: a pixel averages the light of the part of the picture that it covers. What the
// picture does not fill has one colour.
#include "generated/images.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 picture_size;
uniform ivec2 source_size;
uniform ivec2 place; // of the picture's first pixel
uniform ivec2 inner; // pixels that the picture fills
uniform vec3 beyond;

void main()
{
    ivec2 pixel = invocation();
    if (pixel.x >= picture_size.x || pixel.y >= picture_size.y)
        return;
    ivec2 at = pixel - place;
    if (at.x < 0 || at.y < 0 || at.x >= inner.x || at.y >= inner.y) {
        store_picture(pixel, vec4(beyond, 1.0));
        return;
    }
    vec2 scale = vec2(source_size) / vec2(inner);
    vec2 from = vec2(at) * scale, to = from + scale;
    ivec2 first = ivec2(from), last = min(ivec2(ceil(to)), source_size);
    vec3 light = vec3(0.0);
    float covered = 0.0;
    for (int y = first.y; y < last.y; y++)
        for (int x = first.x; x < last.x; x++) {
            vec2 sides = min(to, vec2(x, y) + 1.0) - max(from, vec2(x, y));
            float weight = max(sides.x, 0.0) * max(sides.y, 0.0);
            vec3 colour = load_source(ivec2(x, y)).rgb;
            light += weight * colour * colour;
            covered += weight;
        }
    store_picture(pixel, vec4(sqrt(light / covered), 1.0));
}
