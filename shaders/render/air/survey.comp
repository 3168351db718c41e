#version 430
// Surveys the air in squares of AIR_CELLS x AIR_CELLS cells: gas, flames, open space, liquid. At night what glows
// counts whatever its state; by day only gas, because only flames are drawn beyond their own cells.
uniform ivec2 size;

#include "generated/images.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

#include "generated/drawn.glsl"
#include "render/air/cell.glsl"

uniform ivec2 air_first; // the first texel of the image, among those of the whole world
uniform ivec2 air_size;  // texels of the image that are used

const int FURTHEST = 128; // cells outside a torus are at most so many times its size away

// Map a cell on a torus into the world; it may lie much further outside than inside_world allows.
ivec2 on_torus(ivec2 cell) { return ivec2(uvec2(cell + FURTHEST * size) % uvec2(size)); }

void main()
{
    ivec2 texel = invocation();
    if (any(greaterThanEqual(texel, air_size)))
        return;
    Air sum = NO_AIR;
    for (int place = 0; place < AIR_CELLS * AIR_CELLS; place++) {
        ivec2 cell = (texel + air_first) * AIR_CELLS + ivec2(place % AIR_CELLS, place / AIR_CELLS);
        bool outside = !WHOLE_TEXELS && is_outside(cell, size);
        if (EDGES == EDGES_WRAP)
            cell = on_torus(cell);
        else if (!WHOLE_TEXELS)
            cell = clamp(cell, ivec2(0), size - 1);
        Air found = air_of_cell(cell);
        float there = outside ? 0.0 : 1.0;
        sum.cells |= found.cells << uint(place);
        sum.smoke += there * found.smoke;
        sum.glow += there * found.glow;
        sum.open += outside ? (EDGES == EDGES_OPEN ? 1.0 : 0.0) : found.open;
        sum.liquid += there * found.liquid;
#ifdef NIGHT
        sum.glow += there * found.ember;
#endif
    }
    float part = 1.0 / float(AIR_CELLS * AIR_CELLS);
    store_air(
        texel,
        air_texel(Air(sum.smoke * part, sum.glow * part, sum.open * part, sum.liquid * part, sum.cells, vec2(0.0))));
}
