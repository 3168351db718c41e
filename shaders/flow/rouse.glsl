// Which tiles rule flow must look at. A tile rests when nothing has moved in it, and in those around it, for a whole
// tick: then none of the masses has changed that its outflows are computed from, and both textures hold the same.
#include "generated/tick.glsl"
#include "lib/tiles.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last thing that was noted

// How many tiles away a change matters: an outflow depends on masses two cells from where it arrives.
const ivec2 AROUND = (1 + TILE) / TILE;

// The number of a tile near another along one axis: on a torus they close around, elsewhere the last is its own.
int beside(int tile, int way, int cells, int tiles_along, int cells_in_tile)
{
    int next = tile + way, count = (cells - 1) / cells_in_tile + 1;
    return EDGES == EDGES_WRAP ? wrapped(next, count) : clamp(next, 0, tiles_along - 1);
}

bool rouse_flow(ivec2 tile)
{
    bool awake = false;
    for (int y = -AROUND.y; y <= AROUND.y; y++)
        for (int x = -AROUND.x; x <= AROUND.x; x++) {
            ivec2 at =
                ivec2(beside(tile.x, x, size.x, tile_grid.x, TILE.x), beside(tile.y, y, size.y, tile_grid.y, TILE.y));
            awake = awake || is_since(CHANGED, at, tick, 1u);
        }
    return awake;
}
