// Changes of water near a tile, for rules whose tiles sleep while the water around them is at rest.
#include "generated/tick.glsl"
#include "lib/tiles.glsl"

// Test if a cell of the tile, or one up to so many cells away from it, was noted as changed in this tick or in the last
// `ticks`.
bool changed_near(ivec2 tile, int cells, uint ticks)
{
    ivec2 around = (TILE + cells - 1) / TILE; // tiles
    bool found = false;
    for (int y = -around.y; y <= around.y; y++)
        for (int x = -around.x; x <= around.x; x++)
            found = found || is_since(CHANGED, tile_beside(tile, ivec2(x, y)), tick, ticks);
    return found;
}
