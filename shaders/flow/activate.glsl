// Which tiles rule flow must look at. A tile rests when nothing has moved in it, and in those around it, for a whole
// tick: then none of the masses has changed that its outflows are computed from, and both textures hold the same.
#include "generated/tick.glsl"
#include "lib/tiles.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last thing that was noted

// A cell's next mass depends on masses up to two cells away, each of which a cell next to it may have changed.
const int SENDER = 3;                            // cells away at most
const ivec2 AROUND = (TILE + SENDER - 1) / TILE; // the same in tiles

// The number of a tile some way from another along one axis: on a torus they close around, and the last one that is not
// whole is one with the first; elsewhere there is none beyond the last.
int beside(int tile, int way, int tiles_along)
{
    if (EDGES == EDGES_WRAP)
        return wrapped(tile + way, max(tiles_along - 1, 1));
    return clamp(tile + way, 0, tiles_along - 1);
}

bool activate_flow(ivec2 tile)
{
    bool awake = false;
    for (int y = -AROUND.y; y <= AROUND.y; y++)
        for (int x = -AROUND.x; x <= AROUND.x; x++) {
            ivec2 at = ivec2(beside(tile.x, x, tile_grid.x), beside(tile.y, y, tile_grid.y));
            awake = awake || is_since(CHANGED, at, tick, 1u);
        }
    return awake;
}
