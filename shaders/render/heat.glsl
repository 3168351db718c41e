// How rule heat is drawn: what is hot glows; and its overlays.
#include "generated/cell.glsl"
#include "generated/material_at.glsl"
#include "generated/materials.glsl"

const float GLOW_FROM = 500.0, GLOW_FULL = 1500.0; // degrees C: the first dull red, and as bright as it gets
const float GLOW_COVER = 0.75;                     // how much of its own colour the brightest hides

float degrees_at(ivec2 cell) { return float(temperature_of(imageLoad(warmth, cell).r)) / float(TEMPERATURE_ONE); }

// Dull red, orange, yellow, as hot bodies have it.
vec3 draw_heat(ivec2 cell, vec2 at, vec3 ground)
{
    float glow = clamp((degrees_at(cell) - GLOW_FROM) / (GLOW_FULL - GLOW_FROM), 0.0, 1.0);
    vec3 light =
        vec3(min(0.45 + 1.2 * glow, 1.0), clamp(1.3 * glow - 0.15, 0.0, 0.95), clamp(1.5 * glow - 0.9, 0.0, 0.7));
    return mix(ground, light, GLOW_COVER * smoothstep(0.0, 0.6, glow));
}

float overlay_temperature(ivec2 cell) { return is_matter(cell) ? degrees_at(cell) : NOTHING; }

// Degrees by which the latent heat that it keeps would warm it; what it has given off is below 0.
float overlay_latent(ivec2 cell)
{
    int units = (int(imageLoad(warmth, cell).r) >> SHIFT_AGE) * LATENT_ONE;
    return keeps_latent(material_at(cell)) ? float(units) / float(TEMPERATURE_ONE) : NOTHING;
}
