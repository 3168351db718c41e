#version 430
// Draws each atom's move in the last tick over a picture, as a green line from its old position to its new one.
// Source: seed 004, "Green lines show fluid atoms' previous positions."
#include "generated/images.glsl"
#include "lib/moves.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 size;
uniform ivec2 picture_size;
uniform int zoom;
uniform int cells_a_pixel;
uniform int first_row;
uniform ivec2 offset; // pixel of the top left corner of the part of the world that is drawn
uniform ivec2 corner; // the first cell of this part
uniform ivec2 extent; // its cells

const vec4 GREEN = vec4(0.10, 0.72, 0.25, 1.0);

void main()
{
    ivec2 cell = invocation();
    if (cell.x >= size.x || cell.y >= size.y)
        return;
    ivec2 move = move_of(load_trace(cell), cell, size);
    if (load_material(cell) == 0u || move == ivec2(0))
        return;
    vec2 scale = vec2(float(zoom) / float(cells_a_pixel));
    vec2 to = (vec2(cell - corner) + 0.5) * scale + vec2(offset), from = to - vec2(move) * scale;
    ivec2 first = max(offset, ivec2(0, first_row));
    ivec2 last = min(offset + ivec2(ceil(vec2(extent) * scale)), picture_size);
    int steps = int(max(abs(to.x - from.x), abs(to.y - from.y))) + 1;
    for (int i = 0; i <= steps; i++) {
        ivec2 pixel = ivec2(mix(from, to, float(i) / float(steps)));
        if (all(greaterThanEqual(pixel, first)) && all(lessThan(pixel, last)))
            store_picture(pixel, GREEN); // lines may share a pixel: all write the same value
    }
}
