// The functions of a cell that rule pressure needs, for one layer of rule mixture. Amounts are in units of mass.
// Twin: oracle/pressure/mixture.py.
#include "generated/ledger.glsl"
#include "lib/domain.glsl"
#include "mixture/noting.glsl"
#include "mixture/cells.glsl"
#include "pressure/connected.glsl"
#include "pressure/layer.glsl"

// The columns and rows on each side of a border between two parts of a world whose labels are compared.
const ivec2 NEAR = ivec2(NEAR_COLUMNS, NEAR_ROWS);

// The amount of the layer that can flow in a cell; 0 in solid cells.
int amount_at(ivec2 at) { return free_at(at, layer); }

// The texel of the layer: its amount, and the mark of a solid cell.
int texel_at(ivec2 at) { return texel_at(at, layer); }

// 1 in a cell that holds enough to be connected with its neighbours, else 0.
uint liquid_at(ivec2 at) { return uint(amount_at(at) > CONNECTED[layer]); }

// The result of liquid_at for a cell that is known to be connected, without a load.
uint kind_at(ivec2 at) { return 1u; }

// The flags of a tile: bit 0 is set by cells that are connected in any layer that rule pressure moves.
uint flags_at(ivec2 at) { return uint(any_connected(to_world(at, size))); }

// The neighbour toward which a surface is open: above, or below for a material that rises. And the neighbour that
// supports the surface, on the other side. Both may be outside the world.
ivec2 cell_over(ivec2 at) { return at - ivec2(0, OPEN_TOWARD[layer]); }
ivec2 cell_under(ivec2 at) { return at + ivec2(0, OPEN_TOWARD[layer]); }

// The texel of cell_over. A cell outside the world counts as solid, also beyond an open edge.
int texel_over(ivec2 at)
{
    Place over = place_of(cell_over(at));
    return over.inside ? texel_at(over.cell) : SOLID_BIT;
}

// Test if the cell below a texel could be an open surface: the texel has enough room.
bool is_open_below(int texel) { return !is_solid_texel(texel) && FULL - free_of_texel(texel) >= LEAST_ROOM[layer]; }

// Test if a cell could be an open surface.
bool is_open(ivec2 at) { return is_open_below(texel_over(at)); }

// The depth of a surface: rows from the top, or from the bottom for a material that rises.
// In a part of a world rows are those of the whole, because bodies may lie in several parts.
int depth_of(ivec2 at)
{
    int row = HAS_HALO ? whole_place(at).y : at.y;
    return OPEN_TOWARD[layer] > 0 ? row : column_rows() - 1 - row;
}

// Test if a cell with this amount holds enough to give.
bool has_to_give(int amount) { return amount >= LEAST_LIQUID[layer] && amount > LEAST_FLOW[layer]; }

// The amount that a cell with this amount of the layer can still take.
int room_in(ivec2 at, int amount) { return min(FULL - amount, room_of_all(Place(at, true))); }

// The level of a surface that may give, and of one that may take, in 1/65536 rows; 0 if it may not. The first grows
// with the height of the surface, the second with its depth, so that the greatest level of a body wins. A full cell has
// the same level as an empty cell above it. The 0xFFFE keeps the level of a full cell in the highest row below 2**32.
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

// A body in which nothing has moved in a round rests: nothing can move in later rounds of the tick, because its levels
// stay the same, or fewer of its surfaces are open. The exception is a body with a surface that another body has closed
// and may open again.

// Test if another body has closed a surface of a body. Then the label of the body's first cell, which is never adopted,
// has the mark of an adopted cell.
bool is_covered(ivec2 body) { return (label_at(body) & ADOPTED) != 0u; }

// Every body has bids.
const bool ALL_BID = true;
bool has_bids(ivec2 body) { return true; }
uvec2 levels_at(ivec2 at) { return uvec2(level_to_give(at), level_to_take(at)); }

// The amount that flows from one surface to another: half of the difference of levels, at most the amount of the source
// and the room of the sink; 0 if this is too little. Exact amounts would give another difference than levels, which
// are rounded. With levels the flow is the same whichever of several surfaces of equal level has won the draw. So a
// body in which nothing flows can sleep.
int flow_between(ivec2 source, ivec2 sink, int amount, int in_sink, int room)
{
    int lower = clamp(depth_of(sink) - depth_of(source), -2, 2); // rows; at two rows the whole amount may flow
    int higher = (lower - 1) * (FULL >> LEVEL_SHIFT) + (amount >> LEVEL_SHIFT) + (FULL - in_sink >> LEVEL_SHIFT);
    int flow = min(higher << LEVEL_SHIFT >> 1, min(amount, room));
    return flow > LEAST_FLOW[layer] ? flow : 0;
}

// No body of a mixture is marked: all have bids.
uint mark_of(ivec2 body) { return 0u; }

#ifdef LABELS
// Do nothing: adopt.comp begins the bids.
void begin_bids(ivec2 first) { }
#endif

#ifdef COMPRESSES_LABELS
// Do nothing: adopted cells can be surfaces too, so adopt.comp finds all surfaces.
bool may_float_on(ivec2 at) { return false; }
bool bears_powder(ivec2 at, uint label) { return false; }
void keep_surfaces(ivec2 first, uint open) { }
#endif

#ifdef BIDS
bool is_labelled(ivec2 at); // of the layout

bool rests(ivec2 body) { return load_highest(body) == RESTS; }

// Mark a body if another body has closed a surface of it.
void note_cover(ivec2 at, ivec2 body)
{
    if (is_open(at))
        return;
    Place over = place_of(cell_over(at));
    uint another = over.inside && is_labelled(over.cell) ? body_at(over.cell) : 0u;
    if (another != 0u && another != label_of_place(body))
        atomic_or_labels(body, ADOPTED);
}
#endif

#ifdef OFFERS
// A cell that cannot give offers, too, so that there is a winner who ends the round of its body.
bool contends_to_give(uint level) { return true; }

bool has_no_giver(ivec2 body) { return load_highest(body) == 0u && !is_covered(body); }

bvec2 may_offer(ivec2 at, ivec2 body)
{
    uvec2 levels = levels_at(at);
    uint highest = load_highest(body); // 0: no cell of the body gives, and no winner would reset the offer to take
    return bvec2(levels.x != 0u && levels.x == highest,
                 levels.y != 0u && levels.y == load_lowest(body) && highest != 0u);
}
#endif

// Amounts even out within a row by themselves.
bool gives_first(ivec2 at) { return false; }
bool takes_first(ivec2 at) { return false; }

#ifdef SEES_WINNERS
// The amounts in the cells with the best offers of a body, those that are own cells: of the cell that gives, of the
// cell that takes, and the room there.
uvec4 winners_of(ivec2 body, uint giving, uint taking, uvec4 lots)
{
    uvec4 winners = uvec4(0u);
    ivec2 source = who_gives(giving, lots), sink = who_takes(taking, lots);
    if (is_own(source))
        winners.x = uint(amount_at(source));
    if (is_own(sink))
        winners.yz = uvec2(amount_at(sink), room_in(sink, amount_at(sink)));
    return winners;
}
#endif

#if defined(GIVES) || defined(SEES_HEAT) || defined(TRANSFERS_HEAT)
#include "mixture/heat.glsl"
#endif

#ifdef SEES_HEAT
// The heat and the mass of the cell that gives, and the heat of the cell that takes, by which the heat that goes along
// is computed; 0 for a cell that is not an own cell.
uvec4 heats_of(uint giving, uint taking, uvec4 lots)
{
    uvec4 heats = uvec4(0u);
    ivec2 source = who_gives(giving, lots), sink = who_takes(taking, lots);
    if (is_own(source))
        heats.xy = uvec2(heat_at(source), mass_at(source));
    if (is_own(sink))
        heats.z = uint(heat_at(sink));
    return heats;
}
#endif

#ifdef TRANSFERS_HEAT
// Move the heat that goes along with a flow between two parts, before the flow: what this part has of it.
void give_heat_in_part(ivec2 source, ivec2 sink, uvec4 winners, uvec4 heats)
{
    int flow = flow_between(source, sink, int(winners.x), int(winners.y), int(winners.z));
    int along = heat_with(int(heats.x), int(heats.y), flow), there = int(heats.z);
    int received = heat_received(along, there);
    if (is_own(source))
        put_heat(source, int(heats.x) - along);
    if (is_own(sink)) {
        put_heat(sink, there + received);
        if (along != received)
            count_air_water_heat(received - along);
    }
}
#endif

#ifdef GIVES_IN_PART
// Store an amount in a cell, by its place counted from the own cells of a part of a world, wherever the part has the
// cell among these or near them.
void store_near(ivec2 at, int amount)
{
    for (int number = 0; number < copies_of_place(); number++) {
        ivec2 place = copy_of_place(own_place(at), number);
        if (is_near_own(place, NEAR)) {
            store_free_mixture(to_world(place, size), layer, amount);
            note_change(place);
        }
    }
}

// Move the flow from one surface of a body that lies in several parts to another, if there is one: what this part has
// of it.
bool give(ivec2 source, ivec2 sink, uvec4 winners, uint label)
{
    int flow = flow_between(source, sink, int(winners.x), int(winners.y), int(winners.z));
    if (flow == 0)
        return false;
    store_near(source, int(winners.x) - flow);
    store_near(sink, int(winners.y) + flow);
    if (is_own(own_place(source)))
        count_moved(uint(flow));
    ivec2 under = own_place(cell_under(source));
    if (is_own(under) && label_at(under) == label)
        show_surface(under);
    return true;
}
#endif

#ifdef GIVES
bool has_giver(ivec2 body) { return load_highest(body) != 0u; }

// Move the heat that goes along with a flow, before the flow.
void give_heat(ivec2 source, ivec2 sink, int flow)
{
#ifdef HAS_WATER_HEAT
    int along = heat_with(heat_at(source), mass_at(source), flow), there = heat_at(sink);
    int received = heat_received(along, there);
    put_heat(source, heat_at(source) - along);
    put_heat(sink, there + received);
    if (along != received)
        count_air_water_heat(received - along);
#endif
}

// Move the flow from one surface to another, if there is one.
bool give(ivec2 source, ivec2 sink, uint label)
{
    int amount = amount_at(source), in_sink = amount_at(sink);
    int flow = flow_between(source, sink, amount, in_sink, room_in(sink, in_sink));
    if (flow == 0)
        return false;
    give_heat(source, sink, flow);
    store_free_mixture(to_world(source, size), layer, amount - flow);
    store_free_mixture(to_world(sink, size), layer, in_sink + flow);
    count_moved(uint(flow));
    Place under = place_of(cell_under(source));
    if (under.inside && (label_at(under.cell) == label || label_of_place(under.cell) == label))
        show_surface(under.cell);
    note_change(source);
    note_change(sink);
    return true;
}

#endif

#if defined(GIVES) || defined(GIVES_IN_PART)
void rest(ivec2 body)
{
    if (!is_covered(body))
        store_highest(body, RESTS);
}
#endif

#if defined(GIVES) || defined(GIVES_IN_PART) || defined(ADOPTS)
// Reset the levels of a body.
void begin_next_round(ivec2 body)
{
    store_highest(body, 0u);
    store_lowest(body, 0u);
}
#endif

#ifdef GIVES_IN_PART
bool transfer_in_part(ivec2 body, uvec4 winners, uvec4 lots, out ivec2 source)
{
    uint giving = load_sources(body), taking = load_sinks(body);
    source = own_place(who_gives(giving, lots));
    bool gives =
        giving != 0u && taking != 0u && give(source, own_place(who_takes(taking, lots)), winners, label_of_place(body));
    if (giving != 0u) {
        store_sources(body, 0u); // for the next round
        store_sinks(body, 0u);
        begin_next_round(body);
        if (!gives)
            rest(body);
    }
    return gives;
}
#endif
