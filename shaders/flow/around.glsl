// The mass at a place that may be outside the world.
#include "lib/edges.glsl"

int texel_around(ivec2 cell)
{
    int texel = load_mass_texel(inside_world(cell, size));
    return is_outside(cell, size) ? TEXEL_OUTSIDE : texel;
}
