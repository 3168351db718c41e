// Draws rule mixture: blends the colours of a cell's materials in the order of the layers, each with its fraction as
// opacity; air.glsl draws gases. Also the rule's overlays. Source: seed 003, "we simply use some alpha masking to
// overlay the colors on top of each other".
#include "generated/mixture.glsl"
#include "lib/frame.glsl"
#include "render/depth.glsl"

const int LAYERS = LAYER_MATERIAL.length();

uniform int layer_shown;

float fraction_of(ivec2 cell, int layer) { return float(load_free_mixture(cell, layer)) / float(FULL); }

const float SURFACE_WHITE = 0.3; // share of white in the colour of a liquid at its surface

// Share of a cell that holds no gas, in the layers of one state or, if `state` is STATE_EMPTY, in all.
float filled(ivec2 cell, int state)
{
    float sum = 0.0;
    for (int layer = 0; layer < LAYERS; layer++) {
        int found = kind_of(uint(LAYER_MATERIAL[layer])).state;
        if (found == state || (state == STATE_EMPTY && found != STATE_GAS))
            sum += fraction_of(cell, layer);
    }
    return sum;
}

// Share of the surface of a liquid in a cell.
float surface_of(ivec2 cell)
{
    float liquid = filled(cell, STATE_LIQUID);
    ivec2 above = cell + turned_to_world(ivec2(0, -1));
    if (liquid < 0.1 || is_outside(above, size) || solid_at(above))
        return 0.0;
    return min(liquid, 1.0) * clamp(1.0 - 2.0 * filled(inside_world(above, size), STATE_EMPTY), 0.0, 1.0);
}

vec3 draw_mixture(ivec2 cell, vec2 at, vec3 ground)
{
    vec3 colour = ground;
    for (int layer = 0; layer < LAYERS; layer++) {
        uint number = uint(LAYER_MATERIAL[layer]);
        int state = kind_of(number).state;
        vec3 own = state == STATE_LIQUID ? at_depth(colour_of(number), number) : colour_of(number);
        if (state != STATE_GAS)
            colour = mix(colour, own, fraction_of(cell, layer));
    }
    surface_drawn = max(surface_drawn, surface_of(cell));
    return mix(colour, vec3(1.0), SURFACE_WHITE * surface_drawn);
}

// Amount of the layer shown, in cells; NOTHING where it is 0.
float overlay_fraction(ivec2 cell)
{
    float fraction = fraction_of(cell, layer_shown);
    return fraction > 0.0 ? fraction : NOTHING;
}

float overlay_total(ivec2 cell)
{
    float total = 0.0;
    for (int layer = 0; layer < LAYERS; layer++)
        total += fraction_of(cell, layer);
    return total > 0.0 ? total : NOTHING;
}
