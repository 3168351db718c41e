// Tiles that each pass of rule reactions must visit: `activate_<pass>(tile)`. Law: in a tile that is not activated no
// reaction is possible, whatever chance draws: none was possible at the last visit, and since then no atom has come
// there and no temperature has changed.
#include "generated/reactions.glsl"
#include "generated/tick.glsl"
#include "heat/waking.glsl"

const int LONGEST_AWAKE = TURN;

// A tile's first blocks may begin in the tiles before it.
bool any_warm(ivec2 tile, uint ticks)
{
    bool found = false;
    for (int place = 0; place < 4; place++)
        found = found || is_since(WARM, tile_beside(tile, -ivec2(place & 1, place >> 1)), tick, ticks);
    return found;
}

// A tile stays awake until all partition offsets have been used.
bool activate_react(ivec2 tile)
{
    uint ticks = uint(TURN);
    return has_changed(tile, ticks) || is_since(REACTIVE, tile, tick, ticks) || any_warm(tile, ticks);
}

bool activate_decay(ivec2 tile)
{
    return has_changed(tile, 1u) || is_since(CHANGING, tile, tick, 1u) || is_since(WARM, tile, tick, 1u);
}

// Test if a pass must visit a tile; for the overlay of tiles.
bool is_awake(ivec2 tile) { return activate_react(tile) || activate_decay(tile); }
