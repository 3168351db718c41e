#version 430
// Draws a rectangle around each tile of a rule over a picture: a line if the rule must visit the tile in the next tick,
// dots if the tile sleeps. `AWAKE(tile)` is the rule's own test; see gpu/tiles.py.
// Source: seed 004, footnote 9: "in each chunk there's a rectangle covering all active atoms".

#include "generated/activate.glsl"
#include "lib/frame.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 picture_size; // its height is the row after the last one to draw
uniform int zoom;
uniform int cells_a_pixel;
uniform int first_row;
uniform ivec2 offset; // pixel of the top left corner of the part of the world that is drawn
uniform ivec2 corner; // the first cell of this part
uniform ivec2 extent; // its cells
uniform int inset;    // pixels between the edge of the tile and the rectangle; rules that share tiles have others
uniform vec3 colour;

const vec4 ASLEEP = vec4(0.55, 0.55, 0.58, 1.0);
const int DOTS = 4; // pixels from dot to dot

void put(ivec2 pixel, vec4 value)
{
    ivec2 first = max(offset, ivec2(0, first_row));
    ivec2 last = min(offset + (extent * zoom + cells_a_pixel - 1) / cells_a_pixel, picture_size);
    if (all(greaterThanEqual(pixel, first)) && all(lessThan(pixel, last)))
        store_picture(pixel, value);
}

void main()
{
    ivec2 tile = invocation(), low = tile * TILE, high = min(low + TILE, frame_size(size)) - 1;
    if (any(greaterThanEqual(tile, tile_grid)) || any(greaterThan(low, high)))
        return;
    bool awake = all_awake || AWAKE(tile);
    ivec2 one = to_world(low, size), other = to_world(high, size);
    ivec2 from = (min(one, other) - corner) * zoom / cells_a_pixel + offset + inset;
    ivec2 to = (max(one, other) + 1 - corner) * zoom / cells_a_pixel + offset - 1 - inset;
    if (any(greaterThanEqual(from, to))) // too small to be drawn: no two rectangles share a pixel
        return;
    vec4 ink = awake ? vec4(colour, 1.0) : ASLEEP;
    int every = awake ? 1 : DOTS;
    for (int x = from.x; x <= to.x; x += every) {
        put(ivec2(x, from.y), ink);
        put(ivec2(x, to.y), ink);
    }
    for (int y = from.y; y <= to.y; y += every) {
        put(ivec2(from.x, y), ink);
        put(ivec2(to.x, y), ink);
    }
}
