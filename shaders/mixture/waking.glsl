// Tile flags that the passes of rule mixture set; activate.glsl reads them.
#include "generated/tick.glsl"
#include "lib/tiles.glsl"

#ifdef TILED
// Test if a cell of a tile, or of the tiles around it, has changed in this tick or the last: a pair or a triple can
// change cells of two tiles and is noted in one.
bool has_changed_around(ivec2 tile)
{
    bool changed = false;
    for (int place = 0; place < 9; place++) // in one loop, as `any_changed` of atoms/activate.glsl
        changed = changed || is_since(CHANGED, tile_beside(tile, ivec2(place % 3, place / 3) - 1), tick, 1u);
    return changed;
}
#endif
