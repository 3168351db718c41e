#version 430
// Claim the cells that liquid is to enter as it runs off floating pieces. Law: of several claims the greatest stays, in
// any order; no two are equal. Twin: oracle.collapse.claim_spills.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "collapse/spills.glsl"

#include "collapse/strips.glsl"

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    for (uint left = load_spilling(unit()); left != 0u; left &= left - 1u) {
        ivec2 at = first + ivec2(0, findLSB(left));
        uint word = load_spills(at);
        atomic_max_spills(place_of_spill(word, at), claim_of(word, at));
    }
}
