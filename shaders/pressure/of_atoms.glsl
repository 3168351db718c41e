// The functions of a cell that rule pressure needs, for rule atoms. Twin: oracle/pressure/atoms.py.
#include "generated/ledger.glsl"
#include "atoms/cells.glsl"
#include "atoms/waking.glsl"

// The number of the liquid at rest in a cell, 0 if there is none. Neighbours with the same number belong to one body.
uint liquid_at(ivec2 at)
{
    uint word = load_cells(to_world(at, size));
    int material = int(material_of(word));
    bool rests = turned_to_frame(velocity_of(word)).y == 0;
    return state_of(material) == STATE_LIQUID && pull_of(material) > 0 && rests ? uint(material) : 0u;
}

// Not 0 if a cell holds liquid at rest.
uint any_liquid_at(ivec2 at) { return liquid_at(at); }

// The number of the liquid in a cell that is known to hold liquid at rest.
uint kind_at(ivec2 at) { return load_material(to_world(at, size)); }

// Test if a cell of a body is an open surface, which may give an atom or get an atom on top.
bool is_open(ivec2 at)
{
    ivec2 frame = frame_size(size), above = at - ivec2(0, 1);
    return !is_outside(above, frame) && load_material(to_world(inside_world(above, frame), size)) == 0u;
}

// Every open surface may give and take.
bool may_offer_to_give(ivec2 at, ivec2 body) { return true; }
bool may_offer_to_take(ivec2 at, ivec2 body) { return true; }

// The material of the cell to one side of a place, as of a solid beyond an edge.
uint beside(ivec2 at, int side)
{
    ivec2 frame = frame_size(size), next = at + ivec2(side, 0);
    return is_outside(next, frame) ? uint(MATERIAL_WALL) : load_material(to_world(inside_world(next, frame), size));
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

// Test if the second surface is low enough for a transfer.
bool may_give(ivec2 source, ivec2 sink) { return sink.y - source.y >= LEAST_DROP; }

#ifdef COMPRESSES_LABELS
bool shows_surface(ivec2 at) { return is_open(at); }
void keep_surfaces(ivec2 first, uint open) { store_surfaces(strip_with(first), open); }
#endif

#ifdef GIVES
#include "atoms/put.glsl"

// Move the atom of a surface to the cell above another surface, where it rests; both cells exchange their contents.
void give(ivec2 source, ivec2 sink, uint label)
{
    ivec2 frame = frame_size(size), over = inside_world(sink - ivec2(0, 1), frame), under = source + ivec2(0, 1);
    Atom atom = atom_at(source), hole = atom_at(over);
    atom.velocity = ivec2(0);
    put(over, atom);
    put(source, hole);
    leave_body(source);
    hide_surface(sink);
    join_body(over, label);
    if (!is_outside(under, frame) && label_at(inside_world(under, frame)) == label)
        show_surface(inside_world(under, frame));
    note_change(CHANGED, source);
    note_change(CHANGED, over);
}

void begin_next_round(ivec2 body) { }
#endif
