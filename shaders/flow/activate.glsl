// Which tiles rule flow must look at. A tile rests when nothing has moved in it, and in those around it, for a whole
// tick: then none of the masses has changed that its outflows are computed from, and both textures hold the same.
#include "generated/tick.glsl"
#include "lib/tiles.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last thing that was noted

// A cell's next mass depends on masses up to two cells away, each of which a cell next to it may have changed.
const int SENDER = 3;                            // cells away at most
const ivec2 AROUND = (TILE + SENDER - 1) / TILE; // the same in tiles

bool activate_flow(ivec2 tile)
{
    bool awake = false;
    for (int y = -AROUND.y; y <= AROUND.y; y++)
        for (int x = -AROUND.x; x <= AROUND.x; x++)
            awake = awake || is_since(CHANGED, tile_beside(tile, ivec2(x, y)), tick, 1u);
    return awake;
}
