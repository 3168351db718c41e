// Which tiles rule mixture must look at. A tile rests when in it and in those around it nothing has changed for a whole
// tick, nor would have, had chance allowed it: for in each tick all pairs, triples and cells have been asked, and what
// moves goes no farther than a few cells in one.
#include "mixture/waking.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last thing that was noted

// The number of a tile some way from another along one axis: on a torus they close around, and the last one that is not
// whole is one with the first; elsewhere there is none beyond the last.
int beside(int tile, int way, int tiles_along)
{
    if (EDGES == EDGES_WRAP)
        return wrapped(tile + way, max(tiles_along - 1, 1));
    return clamp(tile + way, 0, tiles_along - 1);
}

bool rouse_look(ivec2 tile)
{
    bool awake = false;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
            ivec2 at = ivec2(beside(tile.x, x, tile_grid.x), beside(tile.y, y, tile_grid.y));
            awake = awake || has_changed(at, 1u);
        }
    return awake;
}

// Others may have moved something in this tick into tiles that were not looked at. What was seen from their cells last
// still holds.
bool rouse_convert(ivec2 tile) { return rouse_look(tile); }
