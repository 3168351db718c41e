// The scan of sink and rise: moves materials along the columns, the foremost cell first. Both shaders define `scans`,
// the directions of the pass.
#include "generated/strip.glsl"
#include "mixture/wishes.glsl"
#include "mixture/counted_heat.glsl"

const uint MANY_UNITS = 1u << 31;                   // moved units are counted before they pass 32 bits
const bool RING = EDGES == EDGES_WRAP && !HAS_HALO; // the columns of a part of a torus go on in other parts

// The state of a scan behind its last cell. If materials exclude each other, they have one limit, the first.
int limit[LAYERS];  // the most units that the next cell can send on
int sent[LAYERS];   // the units that the last cell has sent on
int texels[LAYERS]; // of the last cell, without what it has sent on

// The limit at the front of a column that is no ring. In a part of a world other simulations have found it, see
// gpufluid/cluster/limits.py.
int limit_at_front(int column, int layer)
{
#ifdef KNOWS_AHEAD
    return int(load_ahead(ivec2(column, EXCLUSIVE != 0 ? 0 : layer)).x);
#else
    return EDGES == EDGES_OPEN ? FULL : 0;
#endif
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
    act(most > 0, cell);
    sent[layer] = units;
    texels[layer] = texel - units;
    moved_units += is_own(cell) ? uint(units) : 0u;
    if (EXCLUSIVE != 0)
        limit[0] -= units;
    else
        limit[layer] = units + room_behind(cell, layer, texel);
    if (SUPPORT[layer] == direction && units > 0 && amount - units <= STICKINESS[layer])
        fallen |= 1u << layer;
}

#ifdef HAS_WATER_HEAT
int heat_ahead;    // of the cell ahead of the next one, before the scan
bool beyond_front; // the cell ahead of the next one lies outside the world, where there is room for all heat
int heat_before;   // of the last cell, before the scan
int heat_kept;     // of the last cell, without what it has sent on and what it gets
int heat_given;    // the heat that the cell ahead of the last one gets

// Send on the heat that goes along with what the cell has just sent on.
void send_heat(ivec2 cell)
{
    int units = 0;
    for (int layer = 0; layer < LAYERS; layer++)
        units += sent[layer];
    heat_before = heat_at(cell);
    int along = heat_with(heat_before, mass_at(cell), units);
    heat_given = beyond_front ? along : heat_received(along, heat_ahead);
    heat_kept = heat_before - along;
    lost_heat += is_own(cell) ? along - heat_given : 0;
    left_heat += is_own(cell) && beyond_front ? heat_given : 0;
    count_heat_beyond(1 << 29);
}
#endif

// Process the next cell of a scan.
void send(ivec2 cell, int direction)
{
    fallen = 0u;
    int before = limit[0];
#define SEND(LAYER) send_layer(cell, LAYER, direction)
    EACH_LAYER(SEND);
    if (EXCLUSIVE != 0)
        limit[0] = before - limit[0] + room_behind(cell, 0, texel_at(cell, 0));
#ifdef HAS_WATER_HEAT
    send_heat(cell);
#endif
    if (fallen != 0u)
        store_around(cell, load_around(cell) & ~fallen);
}

// Store the texel of a cell that has received units.
void hold_texel(ivec2 cell, int layer, int direction, int texel)
{
    if (speed_of(layer, direction) > 0)
        put_texel(cell, layer, texel);
}

// Count the units that have left the world from a cell at its open edge.
void count_left(ivec2 cell, int layer)
{
    if (sent[layer] > 0 && is_own(cell))
        count_left_amount(layer, uint(sent[layer]), tick);
}

void count_many_units()
{
    if (moved_units < MANY_UNITS)
        return;
    count_moved(moved_units);
    moved_units = 0u;
}
