#version 430
// What supports each cell, and what lies beside it: a bit a layer. Twin: oracle.mixture.look.
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "mixture/cells.glsl"
#include "lib/tiles.glsl"

uint around_of(ivec2 cell)
{
    uint found = 0u;
    Place above = place_of(cell - ivec2(0, 1)), below = place_of(cell + ivec2(0, 1));
    Place left = place_of(cell - ivec2(1, 0)), right = place_of(cell + ivec2(1, 0));
    for (int layer = 0; layer < LAYERS; layer++) {
        int over = held(above, layer), under = held(below, layer);
        int props = SUPPORT[layer] > 0 ? under : over;
        bool supported = SUPPORT[layer] != 0 && (props == SOLID || props >= VISCOSITY[layer]);
        found |= uint(supported) << layer;
        if (LOOKED_FOR[layer] != 0) {
            bool beside = max(max(over, under), max(held(left, layer), held(right, layer))) > 0;
            found |= uint(beside) << (layer + BESIDE_SHIFT);
        }
    }
    return found;
}

void work_on(ivec2 cell)
{
    bool solid = imageLoad(mixture, cell).r == SOLID;
    imageStore(around, cell, uvec4(solid ? 0u : around_of(cell), 0, 0, 0));
}

void begin() { }

void report(ivec2 cell) { }

#include "generated/way.glsl"
