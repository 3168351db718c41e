// The functions of a cell that rule pressure needs, for rule atoms. Twin: oracle/pressure/atoms.py.
#include "generated/ledger.glsl"
#include "atoms/cells.glsl"
#include "atoms/waking.glsl"
#include "lib/domain.glsl"
#include "pressure/bodies.glsl"
#include "pressure/run_above.glsl"

// The columns and rows on each side of a border between two parts of a world whose labels are compared: a surface rises
// by at most a row in each round.
const ivec2 NEAR = ivec2(NEAR_COLUMNS, NEAR_ROWS + ROUNDS);

bool is_at_rest(uint word) { return turned_to_frame(velocity_of(word)).y == 0; }
bool is_powder_at_rest(uint word) { return state_of(int(material_of(word))) == STATE_POWDER && is_at_rest(word); }

// The number of the liquid at rest of a cell's word, 0 if there is none. Neighbours with the same number belong to one
// body.
uint liquid_of(uint word)
{
    int material = int(material_of(word));
    return state_of(material) == STATE_LIQUID && pull_of(material) > 0 && is_at_rest(word) ? uint(material) : 0u;
}

uint liquid_at(ivec2 at) { return liquid_of(word_at(to_world(at, size))); }

// The flags that a cell sets in its tile: bit 0 for liquid at rest, bit 1 for powder at rest.
uint flags_at(ivec2 at)
{
    uint word = word_at(to_world(at, size));
    return (liquid_of(word) != 0u ? 1u : 0u) | (is_powder_at_rest(word) ? 2u : 0u);
}

// The number of the liquid in a cell that is known to hold liquid at rest.
uint kind_at(ivec2 at) { return material_at(to_world(at, size)); }

// Test if a cell of a body is an open surface, with nothing on top.
bool is_open(ivec2 at)
{
    ivec2 frame = frame_size(size), above = at - ivec2(0, 1);
    return !is_outside(above, frame) && material_at(to_world(inside_world(above, frame), size)) == 0u;
}

// The powder at rest that floats on a cell: its lowest atom is not denser than the liquid, and the cell above it is
// empty. No atoms float on an open surface.
struct Float {
    bool surface; // the cell is a surface: it may give its atom, or take one on top, under the powder
    int atoms;
    uint weight; // the sum of their densities
};

uint density_at(ivec2 at) { return uint(density_of(int(material_at(to_world(at, size))))); }

// The word of the cell so many rows above a place; of a wall beyond the world.
uint word_above(ivec2 at, int rows)
{
    ivec2 frame = frame_size(size), above = at - ivec2(0, rows);
    return is_outside(above, frame) ? uint(MATERIAL_WALL) : word_at(to_world(inside_world(above, frame), size));
}

// In a part of a world the stack may go on above its own rows.
Float float_on(ivec2 at)
{
    Float found = Float(false, 0, 0u);
    uint word = word_above(at, 1);
    bool floats = is_powder_at_rest(word) && uint(density_of(int(material_of(word)))) <= density_at(at);
    while (floats && found.atoms < column_rows()) {
#ifdef KNOWS_ABOVE
        if (is_above_own(at.y - found.atoms - 1)) {
            Run above = run_above(at.x);
            return Float(above.open, found.atoms + above.cells, found.weight + above.weight);
        }
#endif
        found.atoms++;
        found.weight += uint(density_of(int(material_of(word))));
        word = word_above(at, found.atoms + 1);
        floats = is_powder_at_rest(word);
    }
    found.surface = material_of(word) == 0u;
    return found;
}

// The level of a surface, on which floating powder counts as liquid of the same weight: a distance from the top of the
// world in units of 1/LEVEL_ONE row, at least 0. The distance is rounded up if the surface gives, and down if it takes,
// so that no transfer gains height by rounding.
int level_under(ivec2 at, Float load, bool gives)
{
    uint own = max(density_at(at), 1u), part = load.weight % own * uint(LEVEL_ONE) + (gives ? 0u : own - 1u);
    uint risen = min(load.weight / own, 0xFFFFu) * uint(LEVEL_ONE) + part / own;
    int row = HAS_HALO ? whole_place(at).y : at.y;
    return max(row * LEVEL_ONE - int(risen), 0);
}

const bool ALL_BID = false; // not all bodies have bids

// Test if a body chooses its surfaces by bids, because powder floats on it.
bool has_bids(ivec2 body) { return load_highest(body) != 0u; }

// The mark in scratch `body_borders` of a body that has bids.
uint mark_of(ivec2 body) { return has_bids(body) ? ADOPTED : 0u; }

// The level of the surface of a body that won with a bid to give, or to take.
const uint LEVEL_MASK = (1u << ROUND_SHIFT) - 1u;
int level_giving(ivec2 body) { return int(LEVEL_MASK - (load_highest(body) & LEVEL_MASK)); }
int level_taking(ivec2 body) { return int((load_lowest(body) & LEVEL_MASK) - 1u); }

#ifdef BIDS
// The bids of a surface, to give and to take; 0: no surface. In each body the greatest bid wins. The bids of a round
// are greater than those of all earlier rounds, so no pass has to reset them.
uvec2 levels_at(ivec2 at)
{
    Float load = float_on(at);
    uint giving = LEVEL_MASK - uint(level_under(at, load, true));
    uint taking = uint(level_under(at, load, false)) + 1u;
    return load.surface ? substep << ROUND_SHIFT | uvec2(giving, taking) : uvec2(0u);
}

// No body rests: a load may still push its liquid after the last round.
bool rests(ivec2 body) { return false; }
void note_cover(ivec2 at, ivec2 body) { }
#endif

#ifdef OFFERS
bool contends_to_give(uint level) { return level != 0u; }

bool has_no_giver(ivec2 body) { return false; }

bvec2 may_offer(ivec2 at, ivec2 body)
{
    uvec2 levels = levels_at(at);
    return bvec2(levels.x != 0u && levels.x == load_highest(body), levels.y != 0u && levels.y == load_lowest(body));
}
#endif

// The material of the cell at one side of a place; that of a wall beyond an edge.
uint beside(ivec2 at, int side)
{
    ivec2 frame = frame_size(size), next = at + ivec2(side, 0);
    return is_outside(next, frame) ? uint(MATERIAL_WALL) : material_at(to_world(inside_world(next, frame), size));
}

// The atoms of a row that is not full keep together: an atom at the end of a piece of the row gives before others, and
// the place beside a piece is taken before others.
bool gives_first(ivec2 at) { return beside(at, -1) == 0u || beside(at, 1) == 0u; }
bool takes_first(ivec2 at)
{
    ivec2 over = at - ivec2(0, 1);
    uint own = kind_at(at);
    return beside(over, -1) == own || beside(over, 1) == own;
}

#ifdef LABELS
// Set the bids to 0 at a cell that may be the first cell of a body.
void begin_bids(ivec2 first)
{
    store_highest(first, 0u);
    store_lowest(first, 0u);
}
#endif

#ifdef COMPRESSES_LABELS
bool may_float_on(ivec2 at) { return is_powder_at_rest(word_above(at, 1)); }

// Test if powder floats on a cell of a body. If so, store any number but 0 as the highest bid: the body then has bids.
bool bears_powder(ivec2 at, uint label)
{
    bool floats = is_own(at) && float_on(at).surface;
    if (floats)
        atomic_max_highest(place_of_label(label), 1u);
    return floats;
}

// A part of a world moves own cells only.
void keep_surfaces(ivec2 first, uint open) { store_surfaces(strip_with(first), open & own_bits(first)); }
#endif

#ifdef MOVES_ATOMS
#include "atoms/put.glsl"

void put_and_note(ivec2 at, Atom atom)
{
    put(at, atom);
    note_change(CHANGED, at);
}

// Lay an atom on a surface, under the `floating` atoms that float on it, which rise by a row. The atom then rests. The
// `following` atoms over `place` sink by a row, the lowest to `place`. The cell that the highest following atom leaves
// gets the content of the empty cell above the floating atoms.
void lay_on(ivec2 sink, int floating, Atom atom, ivec2 place, int following)
{
    atom.velocity = ivec2(0);
    for (int i = 0; i < floating + following + 2; i++) {
        ivec2 at = i <= floating ? sink - ivec2(0, 1 + i) : place - ivec2(0, following + floating + 1 - i);
        ivec2 cell = inside_world(at, frame_size(size));
        Atom before = atom_at(cell);
        put_and_note(cell, atom);
        atom = before;
    }
}
#endif

#ifdef GIVES
bool has_giver(ivec2 body) { return true; } // each surface may give

// Move the atom of a surface onto another surface, under the powder there, if that surface is low enough. The powder on
// the first surface sinks by a row.
bool give(ivec2 source, ivec2 sink, uint label)
{
    Float on_source = float_on(source), on_sink = float_on(sink);
    int drop = level_under(sink, on_sink, false) - level_under(source, on_source, true);
    if (drop <= (LEAST_DROP - 1) * LEVEL_ONE)
        return false;
    ivec2 frame = frame_size(size), under = source + ivec2(0, 1);
    lay_on(sink, on_sink.atoms, atom_at(source), source, on_source.atoms);
    leave_body(source);
    hide_surface(sink);
    join_body(inside_world(sink - ivec2(0, 1), frame), label);
    if (!is_outside(under, frame) && label_at(inside_world(under, frame)) == label)
        show_surface(inside_world(under, frame));
    return true;
}

void begin_next_round(ivec2 body) { }
void rest(ivec2 body) { }
#endif

#ifdef MOVES_ACROSS
// Test if a stack that floats on a surface reaches above the own rows of a part of a world, or would if it rose.
bool is_across(ivec2 at, Float load) { return load.surface && load.atoms > 0 && is_above_own(at.y - load.atoms - 1); }

// A place of a surface in scratch `winners`, and the atoms that float on it.
uvec2 winner(ivec2 at, Float load)
{
    uvec2 place = uvec2(whole_place(at));
    return uvec2(place.x + 1u, place.y | uint(load.atoms) << 16);
}
#endif

#ifdef SEES_WINNERS
// The cells with the best offers of a body, the first as 0 if it does not give to the other; see scratch `winners`.
// Only the part with a cell knows how many atoms float on it.
uvec4 winners_of(ivec2 body, uint giving, uint taking, uvec4 lots)
{
    ivec2 source = own_place(who_gives(giving, lots)), sink = own_place(who_takes(taking, lots));
    uvec4 winners = uvec4(whole_place(source), whole_place(sink)) + uvec4(1u, 0u, 1u, 0u);
    int drop = (int(winners.w) - int(winners.y)) * LEVEL_ONE;
    if (has_bids(body)) {
        drop = level_taking(body) - level_giving(body);
        winners.y |= is_own(source) ? uint(float_on(source).atoms) << 16 : 0u;
        winners.w |= is_own(sink) ? uint(float_on(sink).atoms) << 16 : 0u;
    }
    return drop > (LEAST_DROP - 1) * LEVEL_ONE ? winners : uvec4(0u, 0u, winners.zw);
}
#endif

#ifdef GIVES_IN_PART
// In the cells of this part, complete a transfer within a body that lies in several parts: update labels and surfaces.
// The contents of the cells have changed places already, see gpufluid/cluster/atom_bodies.py.
bool transfer_in_part(ivec2 body, uvec4 winners, uvec4 lots, out ivec2 source)
{
    source = own_place(from_offers(ivec2(winners.x - 1u, winners.y & LOW_HALF)));
    if (winners.x == 0u)
        return false;
    ivec2 sink = own_place(from_offers(ivec2(winners.z - 1u, winners.w & LOW_HALF)));
    ivec2 over = own_place(sink - ivec2(0, 1)), under = own_place(source + ivec2(0, 1));
    for (int number = 0; number < copies_of_place(); number++) {
        ivec2 left = copy_of_place(source, number), come = copy_of_place(over, number);
        if (is_near_own(left, NEAR))
            note_change(CHANGED, left);
        if (is_near_own(come, NEAR)) {
            Atom atom = atom_at(come);
            atom.velocity = ivec2(0);
            put_and_note(come, atom);
        }
    }
    if (is_own(source))
        leave_body(source);
    if (is_own(sink))
        hide_surface(sink);
    if (is_own(over))
        join_body(over, label_of_place(body));
    if (is_own(under) && label_at(under) == label_of_place(body))
        show_surface(under);
    return true;
}
#endif
