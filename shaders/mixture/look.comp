#version 430
// Record which layers of each cell are supported, and which are in adjacent cells, one bit for each layer. A layer is
// supported if the cell on its supporting side, above or below, is solid or holds at least the viscosity of the layer.
// Twin: oracle.mixture.look.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "mixture/cells.glsl"
#include "lib/tiles.glsl"

uint found;

void look_for(ivec2 cell, int layer)
{
    if (SUPPORT[layer] == 0 && LOOKED_FOR[layer] == 0)
        return;
    int over = texel_of(place_of(cell - ivec2(0, 1)), layer), under = texel_of(place_of(cell + ivec2(0, 1)), layer);
    int props = SUPPORT[layer] > 0 ? under : over;
    bool supported = SUPPORT[layer] != 0 && (is_solid_texel(props) || free_of_texel(props) >= VISCOSITY[layer]);
    found |= uint(supported) << layer;
    if (LOOKED_FOR[layer] != 0) {
        int left = texel_of(place_of(cell - ivec2(1, 0)), layer), right = texel_of(place_of(cell + ivec2(1, 0)), layer);
        found |= uint(free_of_texel(max(max(over, under), max(left, right))) > 0) << (layer + BESIDE_SHIFT);
    }
}

void work_on(ivec2 cell)
{
    found = 0u;
#define LOOK_FOR(LAYER) look_for(cell, LAYER)
    EACH_LAYER(LOOK_FOR);
    store_around(cell, is_solid_texel(texel_at(cell, 0)) ? 0u : found);
}

void begin() { }

void report(ivec2 cell) { }

#include "generated/layout.glsl"
