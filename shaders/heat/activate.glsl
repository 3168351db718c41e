// Tiles that rule heat must visit. Law: a tile sleeps if in the last tick no heat could be exchanged in it or beside
// it, and rule atoms has moved nothing there since. Then conduct would change nothing, transition has left the tile as
// it is, and both textures hold the same.
#include "generated/tick.glsl"
#include "heat/waking.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last note

bool activate_conduct(ivec2 tile)
{
    bool awake = has_changed(tile, 1u);
    for (int side = -1; side <= 1; side++) {
        awake = awake || is_since(WARM, tile_beside(tile, ivec2(side, 0)), tick, 1u);
        awake = awake || is_since(WARM, tile_beside(tile, ivec2(0, side)), tick, 1u);
    }
    return awake;
}

// Conduct has just run in every tile in which water can have become ready, and change_water notes the water that it has
// left ready. A tile's first blocks may begin in the tiles before it.
bool activate_change_water(ivec2 tile)
{
    bool found = false;
    for (int place = 0; place < 4; place++)
        found = found || is_since(READY, tile_beside(tile, -ivec2(place & 1, place >> 1)), tick, 1u);
    return found;
}

// Conduct has just run in every tile in which an atom can be past a threshold.
bool activate_transition(ivec2 tile) { return tile_flag(PAST, tile) == tick; }
