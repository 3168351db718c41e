// The steps of density in which atoms see water by mass.
#include "generated/cell.glsl"
#include "generated/amounts.glsl" // defines DENSITY_STEPS in a world with atoms

#ifdef BESIDE_ATOMS
// The step of a mass, rounded up: 0 only without water.
int water_step(int mass) { return (min(mass, FULL) * DENSITY_STEPS + FULL - 1) / FULL; }
#endif
