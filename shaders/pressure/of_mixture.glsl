// The questions of rule pressure about cells, answered for one layer of rule mixture. The frame of such a world is the
// world. Twin: oracle/pressure/mixture.py.
#include "generated/ledger.glsl"
#include "mixture/waking.glsl"
#include "mixture/cells.glsl"
#include "pressure/layer.glsl"

int amount_at(ivec2 at) { return load_mixture(at, layer); }

// 1 in a cell that is connected with others like it, else 0.
uint liquid_at(ivec2 at) { return uint(amount_at(at) > CONNECTED[layer]); }

// The same of a cell that is known to be connected.
uint kind_at(ivec2 at) { return 1u; }

// Not 0 if a cell is connected in any layer that rule pressure moves.
uint any_liquid_at(ivec2 at)
{
    bool found = false;
    for (int each = 0; each < LAYERS; each++)
        found = found || PRESSES[each] != 0 && load_mixture(at, each) > CONNECTED[each];
    return uint(found);
}

// The cell toward which a surface is open, above, or below of what rises; and the one on which it lies. They may be
// outside.
ivec2 cell_over(ivec2 at) { return at - ivec2(0, OPEN_TOWARD[layer]); }
ivec2 cell_under(ivec2 at) { return at + ivec2(0, OPEN_TOWARD[layer]); }

// The texel over a cell. Beyond an edge there is no room.
int amount_over(ivec2 at)
{
    Place over = place_of(cell_over(at));
    return over.inside ? amount_at(over.cell) : SOLID_BIT;
}

// Whether a cell with so much over it could be an open surface.
bool is_open_below(int amount) { return !is_solid_in(amount) && FULL - amount >= LEAST_ROOM[layer]; }

bool is_open(ivec2 at) { return is_open_below(amount_over(at)); }

// Rows from the top, or from the bottom of what rises: the higher a surface, the fewer.
int depth_of(ivec2 at) { return OPEN_TOWARD[layer] > 0 ? at.y : size.y - 1 - at.y; }

bool has_to_give(int amount) { return amount >= LEAST_LIQUID[layer] && amount > LEAST_FLOW[layer]; }

// The room of a cell, in units.
int room_in(ivec2 at, int amount) { return min(FULL - amount, room_of_all(Place(at, true))); }

// How high a surface stands of what may give, and how low of what may take; the greatest of a body wins. 0: it may not.
// A full cell stands as high as an empty one above it: of the highest row, too, that is a number of 32 bits.
uint level_to_give(ivec2 at)
{
    int amount = amount_at(at);
    uint level = ((0xFFFEu - uint(depth_of(at))) << 16) + uint(amount >> LEVEL_SHIFT);
    return is_open(at) && has_to_give(amount) ? level : 0u;
}

uint level_to_take(ivec2 at)
{
    int amount = amount_at(at);
    uint level = (uint(depth_of(at)) << 16) + uint((FULL - amount) >> LEVEL_SHIFT);
    return is_open(at) && room_in(at, amount) > LEAST_FLOW[layer] ? level : 0u;
}

// Units that go from one surface to another: half of what the one stands higher, at most what it has and what the
// other has room for; 0 if that is too little. It is levels that are compared, as they were matched: so it does not
// depend on which of those that stand alike has won whether anything goes, and what rests may sleep.
int flow_between(ivec2 source, ivec2 sink)
{
    int lower = clamp(depth_of(sink) - depth_of(source), -2, 2); // rows; two let go all that there is
    int amount = amount_at(source), below = amount_at(sink);
    int higher = (lower - 1) * (FULL >> LEVEL_SHIFT) + (amount >> LEVEL_SHIFT) + (FULL - below >> LEVEL_SHIFT);
    int flow = min(higher << LEVEL_SHIFT >> 1, min(amount, room_in(sink, below)));
    return flow > LEAST_FLOW[layer] ? flow : 0;
}

#ifdef COMPRESSES_LABELS
// What lies on a body may be a surface too: adopt.comp finds all of them.
bool shows_surface(ivec2 at) { return false; }
void keep_surfaces(ivec2 first, uint open) { }
#endif

#ifdef LEVELS_KNOWN
bool may_offer_to_give(ivec2 at, ivec2 body)
{
    uint level = level_to_give(at);
    return level != 0u && level == load_highest(body);
}

bool may_offer_to_take(ivec2 at, ivec2 body)
{
    uint level = level_to_take(at);
    bool anything_to_take = load_highest(body) != 0u; // else no winner would clear the offer away
    return level != 0u && level == load_lowest(body) && anything_to_take;
}
#endif

#ifdef GIVES
bool may_give(ivec2 source, ivec2 sink) { return flow_between(source, sink) > 0; }

void give(ivec2 source, ivec2 sink, uint label)
{
    int flow = flow_between(source, sink);
    store_mixture(source, layer, amount_at(source) - flow);
    store_mixture(sink, layer, amount_at(sink) + flow);
    count_moved(uint(flow));
    Place under = place_of(cell_under(source));
    if (under.inside && label_at(under.cell) == label)
        show_surface(under.cell);
    note_change(source);
    note_change(sink);
}
#endif

#if defined(GIVES) || defined(ADOPTS)
// No level is known of a body.
void begin_next_round(ivec2 body)
{
    store_highest(body, 0u);
    store_lowest(body, 0u);
}
#endif
