// What the passes of rule heat know of places: cells of gravity's frame, chance that is drawn for them, their tiles.
#include "generated/heat.glsl"
#include "generated/tick.glsl"
#include "lib/atom.glsl"
#include "lib/chance.glsl"
#include "lib/edges.glsl"
#include "heat/waking.glsl"

// Whether transition must look at an atom: by its temperature, or because it is on its way back.
bool is_past(uint thresholds, uint warmth)
{
    int temperature = temperature_of(warmth);
    bool keeps = thresholds != NO_THRESHOLDS; // of others the age is no latent heat
    return temperature > above_in(thresholds) || temperature < below_in(thresholds) || (keeps && age_of(warmth) != 0u);
}

// A place on the torus, where there is one; elsewhere it may lie outside.
ivec2 inside_ring(ivec2 at, ivec2 frame) { return EDGES == EDGES_WRAP ? inside_world(at, frame) : at; }
