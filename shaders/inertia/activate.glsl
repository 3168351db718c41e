// Tiles that rule inertia must visit. Law: a tile sleeps if no mass has moved and no momentum has changed, in it or in
// the tiles around it, for a whole tick; then all that its next state depends on is unchanged.
#include "generated/tick.glsl"
#include "lib/tiles.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last note

// A state depends on cells within the reach of the pass. Each may have been changed by a cell beside it.
const int CHANGER = 4;                            // cells away at most
const ivec2 AROUND = (TILE + CHANGER - 1) / TILE; // the same in tiles

bool activate_move(ivec2 tile)
{
    bool awake = false;
    for (int y = -AROUND.y; y <= AROUND.y; y++)
        for (int x = -AROUND.x; x <= AROUND.x; x++)
            awake = awake || is_since(CHANGED, tile_beside(tile, ivec2(x, y)), tick, 1u);
    return awake;
}
