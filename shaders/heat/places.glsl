// Shared by the passes of rule heat: thresholds of temperature, and places on a torus.
#include "generated/heat.glsl"
#include "generated/tick.glsl"
#include "lib/atom.glsl"
#include "lib/chance.glsl"
#include "lib/edges.glsl"
#include "heat/waking.glsl"

// Test if an atom is past a threshold, or stores latent heat.
bool is_past(uint thresholds, uint warmth)
{
    int temperature = temperature_of(warmth);
    bool keeps = thresholds != NO_THRESHOLDS; // without thresholds the age is no latent heat
    return temperature > above_in(thresholds) || temperature < below_in(thresholds) || (keeps && age_of(warmth) != 0u);
}

// Wrap a place on a torus; without a torus the place may lie outside.
ivec2 inside_ring(ivec2 at, ivec2 frame) { return EDGES == EDGES_WRAP ? inside_world(at, frame) : at; }
