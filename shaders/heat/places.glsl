// Shared by the passes of rule heat: thresholds of temperature, and places on a torus.
#include "generated/heat.glsl"
#include "generated/tick.glsl"
#include "lib/atom.glsl"
#include "lib/chance.glsl"
#include "lib/edges.glsl"
#include "heat/waking.glsl"

// Whether an atom is past a threshold, or still stores latent heat of one.
bool is_past(uint thresholds, uint warmth)
{
    int temperature = temperature_of(warmth);
    bool keeps = thresholds != NO_THRESHOLDS; // of others the age is no latent heat
    return temperature > above_in(thresholds) || temperature < below_in(thresholds) || (keeps && age_of(warmth) != 0u);
}

// A place on the torus, where there is one; elsewhere it may lie outside.
ivec2 inside_ring(ivec2 at, ivec2 frame) { return EDGES == EDGES_WRAP ? inside_world(at, frame) : at; }
