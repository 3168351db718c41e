// The heat of an atom for ledgers and statistics, from its material and its word of plane `warmth`.
// Twins: gpufluid/rules/heat.py.
#include "generated/cell.glsl"
#include "generated/materials.glsl"

// The latent heat that an atom has absorbed, in LATENT_ONE; 0 for a material without transitions.
int latent_held(uint material, uint warmth) { return keeps_latent(material) ? int(warmth) >> SHIFT_AGE : 0; }

// The heat of an atom, latent heat included, in units of temperature.
int heat_held(uint material, uint warmth)
{
    return temperature_of(warmth) + latent_held(material, warmth) * LATENT_ONE;
}
