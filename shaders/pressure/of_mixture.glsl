// The functions of a cell that rule pressure needs, for one layer of rule mixture. The gravity frame of such a world is
// the world itself. Twin: oracle/pressure/mixture.py.
#include "generated/ledger.glsl"
#include "mixture/waking.glsl"
#include "mixture/cells.glsl"
#include "pressure/connected.glsl"
#include "pressure/layer.glsl"

// The units of the layer in a cell that can flow: 0 in solid cells.
int amount_at(ivec2 at) { return load_free_mixture(at, layer); }
int texel_at(ivec2 at) { return load_mixture_texel(at, layer); }

// 1 in a cell that holds enough to be connected with its neighbours, else 0.
uint liquid_at(ivec2 at) { return uint(amount_at(at) > CONNECTED[layer]); }

// The result of liquid_at for a cell that is known to be connected.
uint kind_at(ivec2 at) { return 1u; }

// Not 0 if a cell is connected in any layer that rule pressure moves.
uint any_liquid_at(ivec2 at) { return uint(any_connected(at)); }

// The cell toward which a surface is open (above; below for a material that rises), and the cell on which the surface
// lies. Both may be outside the world.
ivec2 cell_over(ivec2 at) { return at - ivec2(0, OPEN_TOWARD[layer]); }
ivec2 cell_under(ivec2 at) { return at + ivec2(0, OPEN_TOWARD[layer]); }

// The texel over a cell. Beyond an edge, an open one too, there is no room.
int texel_over(ivec2 at)
{
    Place over = place_of(cell_over(at));
    return over.inside ? texel_at(over.cell) : SOLID_BIT;
}

// Test if a cell could be an open surface, from the texel over it.
bool is_open_below(int texel) { return !is_solid_texel(texel) && FULL - free_of_texel(texel) >= LEAST_ROOM[layer]; }

bool is_open(ivec2 at) { return is_open_below(texel_over(at)); }

// The depth of a surface: rows from the top, or from the bottom for a material that rises.
int depth_of(ivec2 at) { return OPEN_TOWARD[layer] > 0 ? at.y : size.y - 1 - at.y; }

bool has_to_give(int amount) { return amount >= LEAST_LIQUID[layer] && amount > LEAST_FLOW[layer]; }

// The room of a cell, in units.
int room_in(ivec2 at, int amount) { return min(FULL - amount, room_of_all(Place(at, true))); }

// The level of a surface that may give, which grows with the height, and of a surface that may take, which grows with
// the depth; 0 if it may not. The greatest level of a body wins. A full cell has the same level as an empty cell above
// it; 0xFFFE keeps the level of a full cell in the highest row below 2**32.
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

// The units that flow from one surface to another: half of the difference of levels, at most the amount of the source
// and the room of the sink; 0 if the flow is too small. The difference is one of levels, by which the winners were
// found, and not of exact amounts. So among surfaces of equal level it does not matter which has won the draw, and a
// body at rest can sleep.
int flow_between(ivec2 source, ivec2 sink)
{
    int lower = clamp(depth_of(sink) - depth_of(source), -2, 2); // rows; at two rows the whole amount may flow
    int amount = amount_at(source), below = amount_at(sink);
    int higher = (lower - 1) * (FULL >> LEVEL_SHIFT) + (amount >> LEVEL_SHIFT) + (FULL - below >> LEVEL_SHIFT);
    int flow = min(higher << LEVEL_SHIFT >> 1, min(amount, room_in(sink, below)));
    return flow > LEAST_FLOW[layer] ? flow : 0;
}

#ifdef COMPRESSES_LABELS
// Cells on a body can be surfaces too, so adopt.comp finds all surfaces.
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
    bool anything_to_take = load_highest(body) != 0u; // else no winner would reset the offer
    return level != 0u && level == load_lowest(body) && anything_to_take;
}
#endif

#ifdef GIVES
bool may_give(ivec2 source, ivec2 sink) { return flow_between(source, sink) > 0; }

void give(ivec2 source, ivec2 sink, uint label)
{
    int flow = flow_between(source, sink);
    store_free_mixture(source, layer, amount_at(source) - flow);
    store_free_mixture(sink, layer, amount_at(sink) + flow);
    count_moved(uint(flow));
    Place under = place_of(cell_under(source));
    if (under.inside && label_at(under.cell) == label)
        show_surface(under.cell);
    note_change(source);
    note_change(sink);
}
#endif

#if defined(GIVES) || defined(ADOPTS)
// Reset the levels of a body.
void begin_next_round(ivec2 body)
{
    store_highest(body, 0u);
    store_lowest(body, 0u);
}
#endif
