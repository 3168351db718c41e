#version 430
// Move materials along the columns: falling ones down, rising ones up, the foremost cell first. So a run of cells moves
// as a whole. Law: the units that leave a cell are the least of three amounts: the units in the cell, the speed of the
// material, and the room in the cell ahead after the units of that cell have left. The cell ahead gets them.
// Twin: oracle.mixture.sink.
// Source: seed 003, doVerticalFlow(), with the cells visited from the foremost one on.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "mixture/flows.glsl"

const int DOWN = 1, UP = -1;      // the direction of a scan
const int UNLIMITED = 2 * FULL;   // more than any limit: a cell sends at most FULL on, and has room for FULL
const uint MANY_UNITS = 1u << 31; // moved units are counted before they pass 32 bits

// The state of a scan behind its last cell. If materials exclude each other, they have one limit, the first.
int limit[LAYERS];  // the most units that the next cell can send on
int sent[LAYERS];   // the units that the last cell has sent on
int texels[LAYERS]; // of the last cell, without what it has sent on

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

void set_limit(int layer, int units) { limit[EXCLUSIVE != 0 ? 0 : layer] = units; }

uint fallen; // one bit for each layer that falls from this cell and leaves too little behind to flow sideways

void send_layer(ivec2 cell, int layer, int direction)
{
    sent[layer] = 0;
    if (speed_of(layer, direction) == 0)
        return;
    int texel = texel_at(cell, layer);
    int amount = free_of_texel(texel);
    int most = min(min(amount, speed_of(layer, direction)), limit[EXCLUSIVE != 0 ? 0 : layer]);
    int units = most > 0 && goes(cell, layer, direction) ? most : 0;
    is_active = is_active || most > 0;
    sent[layer] = units;
    texels[layer] = texel - units;
    moved_units += uint(units);
    if (EXCLUSIVE != 0)
        limit[0] -= units;
    else
        limit[layer] = units + room_behind(cell, layer, texel);
    if (SUPPORT[layer] == direction && units > 0 && amount - units <= STICKINESS[layer])
        fallen |= 1u << layer;
}

// Process the next cell of a scan.
void send(ivec2 cell, int direction)
{
    fallen = 0u;
    int before = limit[0];
#define SEND(LAYER) send_layer(cell, LAYER, direction)
    EACH_LAYER(SEND);
    if (EXCLUSIVE != 0)
        limit[0] = before - limit[0] + room_behind(cell, 0, texel_at(cell, 0));
    if (fallen != 0u)
        store_around(cell, load_around(cell) & ~fallen);
}

// Store the texel of a cell that has received units.
void hold_texel(ivec2 cell, int layer, int direction, int texel)
{
    if (speed_of(layer, direction) > 0)
        put_texel(cell, layer, texel);
}

// Count the units that have left the world over an open edge.
void count_left(int layer)
{
    if (sent[layer] > 0)
        count_left_amount(layer, uint(sent[layer]), tick);
}

void count_many_units()
{
    if (moved_units < MANY_UNITS)
        return;
    count_moved(moved_units);
    moved_units = 0u;
}

#include "generated/layout.glsl"
