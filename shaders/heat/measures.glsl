// What an atom counts for in the ledger of heat and in statistics, from its material and its word of plane `warmth`.
// Twins: gpufluid/rules/heat.py.
#include "generated/cell.glsl"
#include "generated/materials.glsl"

// The latent heat that it has taken in, in LATENT_ONE; the age of what changes no state is something else.
int latent_held(uint material, uint warmth) { return keeps_latent(material) ? int(warmth) >> SHIFT_AGE : 0; }

// Its heat in units of temperature, with its latent heat.
int heat_held(uint material, uint warmth)
{
    return temperature_of(warmth) + latent_held(material, warmth) * LATENT_ONE;
}
