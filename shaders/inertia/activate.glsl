// Tiles that rule inertia must visit. Law: a tile sleeps if no mass has moved and no speed has changed, in it or in the
// tiles around it, for a whole tick; then all that its next state depends on is unchanged, and so is what the passes
// hand to each other.
#include "generated/tick.glsl"
#include "lib/tiles.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last note

// A state depends on cells as far as the reaches of all passes together. Each may have been changed by a cell beside
// it.
const int CHANGER = 9;                            // cells away at most
const ivec2 AROUND = (TILE + CHANGER - 1) / TILE; // the same in tiles

bool activate_press(ivec2 tile)
{
    bool awake = false;
    for (int y = -AROUND.y; y <= AROUND.y; y++)
        for (int x = -AROUND.x; x <= AROUND.x; x++)
            awake = awake || is_since(CHANGED, tile_beside(tile, ivec2(x, y)), tick, 1u);
    return awake;
}
