// How rule mixture is drawn: the colours of a cell's materials over one another, each as opaque as the cell is full of
// it; and its overlays. Source: seed 003, "we simply use some alpha masking to overlay the colors on top of each
// other".
#include "generated/mixture.glsl"

const int LAYERS = LAYER_MATERIAL.length();

uniform int layer_shown;

float fraction_of(ivec2 cell, int layer) { return float(max(load_mixture(cell, layer), 0)) / float(FULL); }

vec3 draw_mixture(ivec2 cell, vec2 at, vec3 ground)
{
    vec3 colour = ground;
    for (int layer = 0; layer < LAYERS; layer++)
        colour = mix(colour, COLOUR[LAYER_MATERIAL[layer]], fraction_of(cell, layer));
    return colour;
}

// In cells; NOTHING where there is none.
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
