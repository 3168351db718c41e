// Draws the ground of every picture: the sky where a cell holds no solid, and shaded solids.
#include "generated/cell.glsl"
#include "generated/colours.glsl"
#include "generated/materials.glsl"
#include "lib/edges.glsl"
#include "lib/hash.glsl"
#include "render/air/around.glsl"
#include "render/place.glsl"
#include "render/sky.glsl"

const float NOTHING = -1e9; // value of an overlay in cells where the quantity does not exist

// The share of the surface of a liquid, which reflects the sky, at the place that a rule has drawn last.
float surface_drawn = 0.0;

bool is_matter(ivec2 cell) { return kind_of(load_material(cell)).state != STATE_EMPTY; }

bool solid_at(ivec2 cell)
{
    if (is_outside(cell, size))
        return EDGES == EDGES_CLOSED;
    return kind_of(load_material(inside_world(cell, size))).state == STATE_SOLID;
}

// Test if a cell beside the one that is drawn is solid.
bool solid_beside(ivec2 other)
{
#ifdef WITH_AIR
    return is_outside(other, size) ? EDGES == EDGES_CLOSED : is_beside(other, 0);
#else
    return solid_at(other);
#endif
}

// Solids are lit from above: a bright top edge, a dark underside, and slight noise so that large walls are not uniform.
vec3 draw_material(ivec2 cell)
{
    uint number = load_material(cell);
    surface_drawn = 0.0;
    if (kind_of(number).state != STATE_SOLID)
        return sky(cell);
    float light = 0.94;
    light += solid_beside(cell - ivec2(0, 1)) ? 0.0 : 0.16;
    light -= solid_beside(cell + ivec2(0, 1)) ? 0.0 : 0.14;
    light += solid_beside(cell - ivec2(1, 0)) ? 0.0 : 0.05;
    light -= solid_beside(cell + ivec2(1, 0)) ? 0.0 : 0.05;
    light += (float(pcg4d(uvec4(place_in_world(cell), 0, 0)).x >> 8) / 16777216.0 - 0.5) * 0.05;
    return clamp(colour_of(number) * light, 0.0, 1.0);
}
