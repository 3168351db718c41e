// Draws the background of every picture: a uniform colour for empty cells, and shaded solids.
#include "generated/cell.glsl"
#include "generated/colours.glsl"
#include "generated/materials.glsl"
#include "lib/edges.glsl"
#include "lib/hash.glsl"

const float NOTHING = -1e9; // value of an overlay in cells where the quantity does not exist

bool is_matter(ivec2 cell) { return STATE_OF[load_material(cell)] != STATE_EMPTY; }

bool solid_at(ivec2 cell)
{
    if (is_outside(cell, size))
        return EDGES == EDGES_CLOSED;
    return STATE_OF[load_material(inside_world(cell, size))] == STATE_SOLID;
}

// Solids are lit from above: a bright top edge, a dark underside, and slight noise so that large walls are not uniform.
vec3 draw_material(ivec2 cell)
{
    uint number = load_material(cell);
    vec3 colour = COLOUR[number];
    if (STATE_OF[number] != STATE_SOLID)
        return COLOUR[0];
    float light = 0.94;
    light += solid_at(cell - ivec2(0, 1)) ? 0.0 : 0.16;
    light -= solid_at(cell + ivec2(0, 1)) ? 0.0 : 0.14;
    light += solid_at(cell - ivec2(1, 0)) ? 0.0 : 0.05;
    light -= solid_at(cell + ivec2(1, 0)) ? 0.0 : 0.05;
    light += (float(pcg4d(uvec4(cell, 0, 0)).x >> 8) / 16777216.0 - 0.5) * 0.05;
    return clamp(colour * light, 0.0, 1.0);
}
