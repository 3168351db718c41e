// Draws rule mixture: blends the colours of a cell's materials in the order of the layers, each with its fraction as
// opacity. Also the rule's overlays. Source: seed 003, "we simply use some alpha masking to overlay the colors on top
// of each other".
#include "generated/mixture.glsl"

const int LAYERS = LAYER_MATERIAL.length();

uniform int layer_shown;

float fraction_of(ivec2 cell, int layer) { return float(load_free_mixture(cell, layer)) / float(FULL); }

vec3 draw_mixture(ivec2 cell, vec2 at, vec3 ground)
{
    vec3 colour = ground;
    for (int layer = 0; layer < LAYERS; layer++)
        colour = mix(colour, COLOUR[LAYER_MATERIAL[layer]], fraction_of(cell, layer));
    return colour;
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
