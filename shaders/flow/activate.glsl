// Tiles that rule flow must visit. Law: a tile sleeps if no mass has moved in it or in the tiles around it for a whole
// tick; then the masses that its outflows depend on are unchanged, and both textures hold the same.
#include "generated/tick.glsl"
#include "lib/tiles.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last note

// A cell's next mass depends on masses up to two cells away. Each of these may have been changed by a cell next to it.
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
