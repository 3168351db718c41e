// What the passes of rule mixture note of tiles, so that those sleep in which nothing can change. Who reads it:
// activate.glsl.
#include "generated/tick.glsl"
#include "lib/tiles.glsl"

// Note that something has changed in a cell, or would have, had chance allowed it.
void note_change(ivec2 cell)
{
    note_latest(tick);
    note_cell(CHANGED, cell, size, tick);
}

#ifdef TILED
// Whether anything has, in this tick or in the last, in a tile or in one of those around it: a pair or a triple changes
// cells of two tiles and is noted in one.
bool has_changed_around(ivec2 tile)
{
    bool changed = false;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            changed = changed || is_since(CHANGED, tile_beside(tile, ivec2(x, y)), tick, 1u);
    return changed;
}
#endif
