// The water of rule flow, as a part of what surrounds a cell.
#include "generated/flow.glsl"

void air_of_flow(ivec2 cell, inout Air air)
{
    float amount = min(float(load_free_mass(cell)) / float(MAX_MASS), 1.0);
    if (amount > 0.0)
        add_material(uint(MATERIAL_WATER), amount, 0.0, air);
}
