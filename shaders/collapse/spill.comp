#version 430
// Let liquid run off floating pieces: it changes places with the cell that it has claimed. Law: no two invocations
// change one cell, because a cell has one claim that stays, and is claimed by or for liquid, not both; so nothing is
// lost. Twin: oracle.collapse.spill.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "atoms/put.glsl"
#include "collapse/spills.glsl"

#include "collapse/strips.glsl"
#include "collapse/waking.glsl"

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    for (uint left = load_spilling(unit()); left != 0u; left &= left - 1u) {
        ivec2 at = first + ivec2(0, findLSB(left));
        uint word = load_spills(at);
        ivec2 to = place_of_spill(word, at);
        if (load_spills(to) == claim_of(word, at)) {
            Atom liquid = atom_at(at), passed = atom_at(to);
            put(to, liquid);
            put(at, passed);
            note_change(CHANGED, to);
            note_change(CHANGED, at);
            mark_active(tick);
        }
    }
}
