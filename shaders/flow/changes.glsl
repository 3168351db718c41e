// Changes of water near a tile, for rules whose tiles sleep while the water around them is at rest.
#include "generated/tick.glsl"
#include "lib/tiles.glsl"

// Test if a cell of the tile, or one up to so many cells away from it, was noted as changed in this tick or in the last
// `ticks`.
bool changed_near(ivec2 tile, int cells, uint ticks)
{
    ivec2 around = (TILE + cells - 1) / TILE, sides = 2 * around + 1; // tiles
    bool found = false;
    for (int i = 0; i < sides.x * sides.y; i++) // in one loop, as `any_changed` of atoms/activate.glsl
        found = found || is_since(CHANGED, tile_beside(tile, ivec2(i % sides.x, i / sides.x) - around), tick, ticks);
    return found;
}
