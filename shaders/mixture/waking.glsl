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
// The number of a tile some way from another along one axis: on a torus they close around, and the last one that is not
// whole is one with the first; elsewhere there is none beyond the last.
int beside(int tile, int way, int tiles_along)
{
    if (EDGES == EDGES_WRAP)
        return wrapped(tile + way, max(tiles_along - 1, 1));
    return clamp(tile + way, 0, tiles_along - 1);
}

// Whether anything has, in this tick or in the last, in a tile or in one of those around it: a pair or a triple changes
// cells of two tiles and is noted in one.
bool has_changed_around(ivec2 tile)
{
    bool changed = false;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
            ivec2 at = ivec2(beside(tile.x, x, tile_grid.x), beside(tile.y, y, tile_grid.y));
            changed = changed || is_since(CHANGED, at, tick, 1u);
        }
    return changed;
}
#endif
