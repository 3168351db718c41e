// Draws rule heat: warm cells are tinted red and cold ones blue, and hot cells glow. Also the rule's overlays.
#include "generated/cell.glsl"
#include "generated/colours.glsl"
#include "generated/materials.glsl"
#include "lib/edges.glsl"
#include "render/gases.glsl"

uniform int tint; // 1: tint warm and cold cells; 0: only glow

const float WARM_RANGE = 470.0, COLD_RANGE = 250.0; // degrees C over which each tint grows, from TINT_FROM on
const float WARM_COVER = 0.46, COLD_COVER = 0.34;   // largest opacity of each tint
const vec3 WARM = vec3(0.88, 0.20, 0.08);
const vec3 COLD = vec3(0.34, 0.26, 0.90);          // so violet that cold ice differs from water
const float GLOW_FROM = 500.0, GLOW_FULL = 1500.0; // degrees C at which the glow begins and ends to grow
const float GLOW_COVER = 0.75;                     // largest opacity of the glow
const float GLOW_WHOLE = 0.6;                      // the glow from which its opacity is largest
const float FLAME_COVER = 0.35;                    // opacity that each hot neighbouring gas atom adds to an empty cell

float degrees_at(ivec2 cell) { return float(load_temperature(cell)) / float(TEMPERATURE_ONE); }

// Colour of a glow from 0 to 1: dull red, orange, yellow, as of a hot body.
vec3 light_of_heat(float glow)
{
    return vec3(min(0.45 + 1.2 * glow, 1.0), clamp(1.3 * glow - 0.15, 0.0, 0.95), clamp(1.5 * glow - 0.9, 0.0, 0.7));
}

// The colour of an atom tinted by its temperature. A gas is not: it would look like a flame.
vec3 tinted(ivec2 cell, vec3 colour)
{
    uint number = load_material(cell);
    if (tint == 0 || STATE_OF[number] == STATE_GAS)
        return colour;
    float degrees = degrees_at(cell);
    bool warm = degrees > TINT_FROM[number].y;
    float beyond = warm ? (degrees - TINT_FROM[number].y) / WARM_RANGE : (TINT_FROM[number].x - degrees) / COLD_RANGE;
    float part = sqrt(clamp(beyond, 0.0, 1.0)); // so that the first degrees already show
    return mix(colour, warm ? WARM : COLD, part * (warm ? WARM_COVER : COLD_COVER));
}

float glow_at(ivec2 cell) { return clamp((degrees_at(cell) - GLOW_FROM) / (GLOW_FULL - GLOW_FROM), 0.0, 1.0); }

// The colour of an empty cell: hot gas around it adds its glow, so that a flame looks like one and not like separate
// sparks.
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
    return mix(tinted(cell, ground), light_of_heat(glow), GLOW_COVER * smoothstep(0.0, GLOW_WHOLE, glow));
}

float overlay_temperature(ivec2 cell) { return is_matter(cell) ? degrees_at(cell) : NOTHING; }

// Stored latent heat in degrees C by which it would heat the cell; negative for heat already given off.
float overlay_latent(ivec2 cell)
{
    int units = (int(load_warmth(cell)) >> SHIFT_AGE) * LATENT_ONE;
    return keeps_latent(load_material(cell)) ? float(units) / float(TEMPERATURE_ONE) : NOTHING;
}
