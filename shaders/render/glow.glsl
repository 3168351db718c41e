// Glowing matter, and the colour of its light.
#include "generated/colours.glsl"
#include "generated/materials.glsl"

const float GLOW_FROM = 500.0, GLOW_FULL = 1500.0; // degrees C at which the glow begins and ends to grow
const float GLOW_OF_MATERIAL = 0.5;                // largest glow where there are no temperatures
const float GLOW_WHOLE = 0.6;                      // the glow from which a cell gives all its light

float glow_of_degrees(float degrees) { return clamp((degrees - GLOW_FROM) / (GLOW_FULL - GLOW_FROM), 0.0, 1.0); }

// The glow of matter without a temperature of its own: by that with which atoms of its material begin.
float glow_of_material(uint number) { return min(glow_of_degrees(kind_of(number).degrees), GLOW_OF_MATERIAL); }

// Share of the light that a glow gives, 0 to 1.
float light_of_glow(float glow) { return smoothstep(0.0, GLOW_WHOLE, glow); }

// Colour of a glow from 0 to 1: dull red, orange, yellow, as of a hot body.
vec3 colour_of_glow(float glow)
{
    return vec3(min(0.45 + 1.2 * glow, 1.0), clamp(1.3 * glow - 0.15, 0.0, 0.95), clamp(1.5 * glow - 0.9, 0.0, 0.7));
}
