// Draws rule heat: warm cells are tinted red and cold ones blue, and hot cells glow; air.glsl draws flames. Also the
// rule's overlays.
#include "generated/cell.glsl"
#include "generated/colours.glsl"
#include "generated/heat.glsl"
#include "generated/laws_of_amounts.glsl" // defines HAS_WATER_HEAT
#include "generated/materials.glsl"
#include "render/glow.glsl"

uniform int tint; // 1: tint warm and cold cells; 0: only glow

const float WARM_RANGE = 470.0, COLD_RANGE = 250.0; // degrees C over which each tint grows, from TINT_FROM on
const float WARM_COVER = 0.46, COLD_COVER = 0.34;   // largest opacity of each tint
const vec3 WARM = vec3(0.88, 0.20, 0.08);
const vec3 COLD = vec3(0.34, 0.26, 0.90); // so violet that cold ice differs from water
const float GLOW_COVER = 0.75;            // largest opacity of the glow

float degrees_at(ivec2 cell) { return float(load_temperature(cell)) / float(TEMPERATURE_ONE); }

// The colour of matter tinted by its temperature.
vec3 tinted(uint number, float degrees, vec3 colour)
{
    if (tint == 0)
        return colour;
    bool warm = degrees > TINT_FROM[number].y;
    float beyond = warm ? (degrees - TINT_FROM[number].y) / WARM_RANGE : (TINT_FROM[number].x - degrees) / COLD_RANGE;
    float part = sqrt(clamp(beyond, 0.0, 1.0)); // so that the first degrees already show
    return mix(colour, warm ? WARM : COLD, part * (warm ? WARM_COVER : COLD_COVER));
}

// A gas has no tint: it would look like a flame.
vec3 draw_heat(ivec2 cell, vec2 at, vec3 ground)
{
    uint number = load_material(cell);
    int state = kind_of(number).state;
    if (state == STATE_EMPTY || state == STATE_GAS)
        return ground;
    float degrees = degrees_at(cell), glow = glow_of_degrees(degrees);
    return mix(tinted(number, degrees, ground), colour_of_glow(glow), GLOW_COVER * light_of_glow(glow));
}

#ifdef HAS_WATER_HEAT
#include "heat/water_changes.glsl"

// The mass of all that can flow in a cell.
int flowing_mass(ivec2 cell)
{
#ifdef OF_MIXTURE
    int mass = 0;
    for (int layer = 0; layer < AMOUNT_LAYERS; layer++)
        mass += load_free_mixture(cell, layer);
    return mass;
#else
    return load_free_mass(cell);
#endif
}

// The temperature of water by mass, or of a mixture; that of the air where a cell holds too little to have its own.
float degrees_of_water(ivec2 cell)
{
    int mass = flowing_mass(cell);
    float warmer = float(int(load_warmth(cell))) / float(max(mass, 1)) * float(FULL / WATER_HEAT_ONE);
    float own = min(max(float(AMBIENT) + warmer, float(FREEZING.threshold)), float(BOILING.threshold));
    return (mass < CONDUCTS_FROM ? float(AMBIENT) : own) / float(TEMPERATURE_ONE);
}

// The heat that water has stored toward a change; 0 if it does not change so.
int stored_toward(WaterChange change, int heat, int mass)
{
    return change.product == 0 ? 0 : max(stored(change, heat, mass), 0);
}

// The latent heat that water by mass has stored, in degrees of an atom; negative for heat that it has given off.
float latent_of_water(ivec2 cell)
{
    int mass = flowing_mass(cell), heat = int(load_warmth(cell));
    int units = stored_toward(BOILING, heat, mass) - stored_toward(FREEZING, heat, mass);
    return mass < CONDUCTS_FROM ? NOTHING : float(units) / float(WATER_HEAT_ONE * TEMPERATURE_ONE);
}
#else
float latent_of_water(ivec2 cell) { return NOTHING; }
float degrees_of_water(ivec2 cell) { return float(AMBIENT) / float(TEMPERATURE_ONE); }
int flowing_mass(ivec2 cell) { return 0; }
#endif

// True for a cell that rule heat takes for air, which always has the ambient temperature.
bool is_air(ivec2 cell) { return !is_matter(cell) && flowing_mass(cell) < CONDUCTS_FROM; }

float overlay_temperature(ivec2 cell) { return is_matter(cell) ? degrees_at(cell) : degrees_of_water(cell); }

// Stored latent heat in degrees C by which it would heat the cell; negative for heat already given off.
float overlay_latent(ivec2 cell)
{
    int units = (int(load_warmth(cell)) >> SHIFT_AGE) * LATENT_ONE;
    float own = keeps_latent(load_material(cell)) ? float(units) / float(TEMPERATURE_ONE) : NOTHING;
    return is_matter(cell) ? own : latent_of_water(cell);
}
