#version 430
// Level each supported cell with those of its two neighbours in the row that hold less; a material that slides, only
// with neighbours that are not supported. Law: the neighbours get all units that the cell loses; no cell gets more than
// it has room for; no two triples (a cell and its two neighbours) have a cell in common. Twin: oracle.mixture.spread.
// Source: seed 003, getSideOutFlow().
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "mixture/flows.glsl"
#include "mixture/counted_heat.glsl"

uniform uint substep;

// The direction in which columns are counted, and the set of triples of this run: its middle cells modulo 3.
bool from_right;
int residue;

// `at` is any place of the world.
void find_turn(ivec2 at)
{
    uvec4 words = pcg4d(uvec4(world_tick(at), 0, 0, stream_seed(world_seed(at), uint(USE_TURN))));
    from_right = words.x >> 31 != 0u;
    uint before = uint(columns_before(from_right ? -1 : 1)); // triples are aligned to the whole world
    residue = int((words.y % 3u + substep + 3u - before % 3u) % 3u);
}

// The number of columns in whole triples; on a torus the one or two remaining columns come last. The columns of a part
// do not close around, and a torus that several columns of parts share has whole triples.
int main_columns() { return EDGES == EDGES_WRAP && !HALO_ACROSS ? extent().x - extent().x % 3 : extent().x; }

int column_of(int place) { return from_right ? extent().x - 1 - place : place; }

// The bits that pass look has recorded for a place; 0 beyond an edge.
uint seen_at(Place place) { return place.inside ? load_around(place.cell) : 0u; }

int room_left, room_right; // used only if materials exclude each other
int sent_left, sent_right; // the units of all layers that the middle cell has sent

void level_layer(Place middle, Place left, Place right, uint seen, int layer)
{
    if (SUPPORT[layer] == 0)
        return;
    int ring = EDGES == EDGES_WRAP ? extent().x : 3;
    int here = free_of_texel(texel_of(middle, layer));
    int texel_left = texel_of(left, layer), texel_right = texel_of(right, layer);
    int there_left = free_of_texel(texel_left), there_right = free_of_texel(texel_right);
    bool acts = here > STICKINESS[layer] && (seen >> layer & 1u) != 0u;
    uvec2 kept = SLIDES[layer] != 0 ? uvec2(seen_at(left), seen_at(right)) >> layer & 1u : uvec2(0u);
    bool lower_left = acts && kept.x == 0u && ring > 1 && !is_solid_texel(texel_left) && there_left < here;
    // On a ring of two columns, left and right are one cell.
    bool lower_right = acts && kept.y == 0u && ring > 2 && !is_solid_texel(texel_right) && there_right < here;
    int total = here + (lower_left ? there_left : 0) + (lower_right ? there_right : 0);
    // Divisions of uints, which take fewer instructions than those of ints.
    int stable = lower_left && lower_right ? int(uint(total) / 3u) : (lower_left || lower_right ? total >> 1 : total);
    uint fluidity = uint(FLUIDITY[layer]);
    int to_left = lower_left ? int(uint(max(stable - there_left, 0)) / fluidity) : 0;
    int to_right = lower_right ? int(uint(max(stable - there_right, 0)) / fluidity) : 0;
    if (EXCLUSIVE != 0) {
        to_left = min(to_left, room_left);
        to_right = min(to_right, room_right);
    }
    if ((to_left | to_right) == 0)
        return;
    act(true, middle.cell);
    if (SIDE_CHANCE[layer] < CERTAIN && drawn(middle.cell, layer, USE_SPREAD).x >= SIDE_CHANCE[layer])
        return;
    hold(middle, layer, here - to_left - to_right);
    if (to_left > 0)
        hold(left, layer, there_left + to_left);
    if (to_right > 0)
        hold(right, layer, there_right + to_right);
    moved_units += is_own(middle.cell) ? uint(to_left + to_right) : 0u;
    sent_left += to_left;
    sent_right += to_right;
    room_left = left.inside ? room_left - to_left : FULL;
    room_right = right.inside ? room_right - to_right : FULL;
}

#ifdef HAS_WATER_HEAT
// Move the heat that goes along with some units to a place. `here` is the heat of the middle cell before, `mass` what
// it held. Returns the heat that the middle cell loses.
int move_heat(Place middle, Place to, int here, int mass, int units)
{
    if (units == 0)
        return 0;
    int along = heat_along(here, mass, units), there = heat_at(to.cell);
    int received = to.inside ? heat_received(along, there) : along;
    if (to.inside)
        put_heat(to.cell, there + received);
    lost_heat += is_own(middle.cell) ? along - received : 0;
    left_heat += is_own(middle.cell) && !to.inside ? along : 0;
    return along;
}
#endif

void level(ivec2 cell)
{
    Place middle = place_of(cell), left = place_of(cell - ivec2(1, 0)), right = place_of(cell + ivec2(1, 0));
    uint seen = load_around(cell);
    room_left = room_of_all(left);
    room_right = room_of_all(right);
    sent_left = sent_right = 0;
#ifdef HAS_WATER_HEAT
    int mass = mass_at(cell);
#endif
#define LEVEL(LAYER) level_layer(middle, left, right, seen, LAYER)
    EACH_LAYER(LEVEL);
#ifdef HAS_WATER_HEAT
    if ((sent_left | sent_right) == 0)
        return;
    int here = heat_at(cell), gone = move_heat(middle, left, here, mass, sent_left);
    gone += move_heat(middle, right, here, mass, sent_right);
    put_heat(cell, here - gone);
    count_heat_beyond(1 << 29);
#endif
}

// The place of the first middle cell of a triple in the tile that begins at a column, and the last place of the tile.
ivec2 places_of_tile(int column)
{
    int last = min(column + TILE.x, extent().x) - 1;
    int begins = min(column_of(column), column_of(last)), ends = max(column_of(column), column_of(last));
    return ivec2(begins + (residue + 3 - begins % 3) % 3, ends);
}

// Level the triple around a place of a row, counted from the side that was drawn.
void level_triple(int place, int row)
{
    if (place < main_columns())
        level(ivec2(column_of(place), row));
}

// Test if the remaining columns of a row follow the triple around a place.
bool is_last(int place) { return residue == 2 && place == max(main_columns(), 3) - 1; }

// Level the remaining columns of a row.
void level_rest(int row)
{
    for (int rest = main_columns(); rest < extent().x; rest++)
        level(ivec2(column_of(rest), row));
}

#include "generated/layout.glsl"
