// What an atom counts for in the ledger of heat and in statistics, from its material and its word of plane `warmth`.
// Twins: gpufluid/rules/heat.py.
#include "generated/cell.glsl"
#include "generated/materials.glsl"

// The latent heat that an atom has taken in, in LATENT_ONE; 0 of a material that never changes its state.
int latent_held(uint material, uint warmth) { return keeps_latent(material) ? int(warmth) >> SHIFT_AGE : 0; }

// The heat of an atom in units of temperature, with its latent heat.
int heat_held(uint material, uint warmth)
{
    return temperature_of(warmth) + latent_held(material, warmth) * LATENT_ONE;
}
