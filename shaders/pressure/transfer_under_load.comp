#version 430
// Transfer liquid under a load: the cell that won gives its atom to the body's lowest open surface, and gets the
// uppermost atom of its load. Law: three cells change contents in a cycle, and no two cycles share a cell: a load lies
// on one cell, its uppermost cell is open, and the cells that give are not. Twin: oracle.pressure.transfer_under_load.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/loads.glsl"
#include "pressure/offers.glsl"
#include "atoms/put.glsl"
#include "generated/matter.glsl"

#include "generated/layout.glsl"
#include "pressure/waking.glsl"

// Move contents to a place, where they rest.
void put_at_rest(ivec2 at, Atom atom)
{
    atom.velocity = ivec2(0);
    put(at, atom);
    note_change(CHANGED, at);
}

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    uvec4 lots = drawn_lots(first, uint(ROUNDS - 1));
    for (uint offering = load_surfaces(strip_with(first)); offering != 0u; offering &= offering - 1u) {
        ivec2 at = first + ivec2(0, findLSB(offering));
        ivec2 body = place_of_label(label_at(at));
        if (!is_offer_of(load_sources(body), at, lots))
            continue;
        ivec2 top = load_on(at).top;
        ivec2 over = inside_world(who_takes(load_sinks(body), lots) - ivec2(0, 1), frame);
        Atom atom = atom_at(at), hole = atom_at(over);
        put_at_rest(at, atom_at(top));
        put_at_rest(over, atom);
        put_at_rest(top, hole);
        mark_active(tick);
        note_unfinished(at);
    }
}
