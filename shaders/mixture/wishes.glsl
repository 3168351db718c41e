// The units that a cell of a column would send on, and its room. To the cells behind it, a column is a function of the
// limit ahead of it, limit -> min(limit + gain, cap). Such functions compose.
#include "mixture/flows.glsl"

const int DOWN = 1, UP = -1;    // the direction of a scan
const int UNLIMITED = 2 * FULL; // more than any limit: a cell sends at most FULL on, and has room for FULL
const int LIMITS = EXCLUSIVE != 0 ? 1 : LAYERS;

// The largest amount of a layer that moves in a tick: in its own direction, or astray in the other one.
int speed_of(int layer, int direction) { return FALLS[layer] == direction ? SPEED[layer] : ASTRAY_SPEED[layer]; }

// Test if any layer moves in a direction.
bool any_moves(int direction)
{
    bool found = false;
    for (int layer = 0; layer < LAYERS; layer++)
        found = found || speed_of(layer, direction) > 0;
    return found;
}

// Decide by chance whether a layer moves from a cell.
bool goes(ivec2 cell, int layer, int direction)
{
    bool own_direction = FALLS[layer] == direction;
    if (CHANCE[layer] == CERTAIN && ASTRAY[layer] == 0u)
        return own_direction;
    uvec2 words = drawn(cell, layer, USE_SINK);
    return words.x < CHANCE[layer] && (words.y < ASTRAY[layer]) != own_direction;
}

// The units that a cell would send on without a limit.
int wish_of(ivec2 cell, int layer, int direction)
{
    int most = min(free_at(cell, layer), speed_of(layer, direction));
    return most > 0 && goes(cell, layer, direction) ? most : 0;
}

// The room of a cell that has this texel of a layer: for the layer, or for all materials together.
int room_behind(ivec2 cell, int layer, int texel)
{
    int room = EXCLUSIVE != 0 ? room_of_all(Place(cell, true)) : FULL - free_of_texel(texel);
    return is_solid_texel(texel) ? 0 : room;
}

// Add the next cell behind some cells of a column to their function. If materials exclude each other, `layer` is 0.
void add_cell(ivec2 cell, int layer, int direction, inout int gain, inout int cap)
{
    int texel = texel_at(cell, layer), wish = wish_of(cell, layer, direction);
    if (EXCLUSIVE != 0) {
        wish = 0;
        for (int other = 0; other < LAYERS; other++)
            wish += wish_of(cell, other, direction);
    }
    int room = room_behind(cell, layer, texel);
    bool solid = is_solid_texel(texel);
    cap = solid ? 0 : min(wish, cap) + room;
    gain = solid ? 0 : min(gain + room, UNLIMITED);
}
