// How rule heat is drawn: what is hot glows; and its overlays.
#include "generated/cell.glsl"
#include "generated/materials.glsl"
#include "lib/edges.glsl"
#include "render/gases.glsl"

const float GLOW_FROM = 500.0, GLOW_FULL = 1500.0; // degrees C: the first dull red, and as bright as it gets
const float GLOW_COVER = 0.75;                     // how much of its own colour the brightest hides
const float GLOW_WHOLE = 0.6;                      // of a glow: from here on it hides so much
const float FLAME_COVER = 0.35;                    // how much of what is behind the air a hot gas atom beside it hides

float degrees_at(ivec2 cell) { return float(load_temperature(cell)) / float(TEMPERATURE_ONE); }

// Dull red, orange, yellow, as hot bodies have it.
vec3 light_of_heat(float glow)
{
    return vec3(min(0.45 + 1.2 * glow, 1.0), clamp(1.3 * glow - 0.15, 0.0, 0.95), clamp(1.5 * glow - 0.9, 0.0, 0.7));
}

float glow_at(ivec2 cell) { return clamp((degrees_at(cell) - GLOW_FROM) / (GLOW_FULL - GLOW_FROM), 0.0, 1.0); }

// Hot gas lights the air between its atoms, so that a flame is one and no swarm of sparks.
vec3 draw_flames(ivec2 cell, vec3 ground)
{
    float glow = 0.0, cover = 0.0;
    for (uint gases = gases_beside(cell); gases != 0u; gases &= gases - 1u) {
        int place = findLSB(gases);
        float hot = glow_at(inside_world(cell + away_at(place), size));
        float part = FLAME_COVER * nearness(place) * smoothstep(0.0, GLOW_WHOLE, hot);
        glow += hot * part;
        cover += part;
    }
    return cover > 0.0 ? mix(ground, light_of_heat(glow / cover), min(cover, GLOW_COVER)) : ground;
}

vec3 draw_heat(ivec2 cell, vec2 at, vec3 ground)
{
    if (!is_matter(cell))
        return draw_flames(cell, ground);
    float glow = glow_at(cell);
    return mix(ground, light_of_heat(glow), GLOW_COVER * smoothstep(0.0, GLOW_WHOLE, glow));
}

float overlay_temperature(ivec2 cell) { return is_matter(cell) ? degrees_at(cell) : NOTHING; }

// Degrees by which the latent heat that it keeps would warm it; what it has given off is below 0.
float overlay_latent(ivec2 cell)
{
    int units = (int(load_warmth(cell)) >> SHIFT_AGE) * LATENT_ONE;
    return keeps_latent(load_material(cell)) ? float(units) / float(TEMPERATURE_ONE) : NOTHING;
}
