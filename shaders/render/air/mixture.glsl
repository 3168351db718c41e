// The materials of rule mixture, as a part of what surrounds a cell.
#include "generated/mixture.glsl"

void air_of_mixture(ivec2 cell, inout Air air)
{
    for (int layer = 0; layer < LAYER_MATERIAL.length(); layer++) {
        float amount = min(float(load_free_mixture(cell, layer)) / float(FULL), 1.0);
        uint material = uint(LAYER_MATERIAL[layer]);
        if (amount > 0.0)
            add_material(material, amount, glow_of_material(material), air);
    }
}
