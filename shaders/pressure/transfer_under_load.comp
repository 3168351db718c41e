#version 430
// Transfer liquid under a load: the cell that won gives its atom to the body's lowest surface, and gets the uppermost
// atom of its load. Law: the cells change contents in a cycle, and no two cycles share a cell: a load lies on one cell,
// its uppermost cell is open, the cells that give are not, and powder floats on one body.
// Twin: oracle.pressure.transfer_under_load.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/loads.glsl"
#include "pressure/offers.glsl"
#define MOVES_ATOMS
#include "generated/matter.glsl"

#include "pressure/strips.glsl"
#include "pressure/waking.glsl"

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
        ivec2 top = load_on(at).top, sink = who_takes(load_sinks(body), lots);
        Atom atom = atom_at(at), uppermost = atom_at(top);
        uppermost.velocity = ivec2(0);
        lay_on(sink, float_on(sink).atoms, atom, top, 0);
        put_and_note(at, uppermost);
        mark_active(tick);
        note_unfinished(at);
    }
}
