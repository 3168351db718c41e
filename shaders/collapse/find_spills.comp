#version 430
// Find the liquid that runs off floating pieces, and the cell that each of its atoms is to enter, whose claim begins
// at 0. Law: no cell that is to be entered holds liquid. Twin: oracle.collapse.find_spills.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "collapse/spills.glsl"

#include "collapse/strips.glsl"

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    int above = role_around(first - ivec2(0, 1)), here = role_at(first);
    uint found = 0u;
    for (int row = 0; row < rows; row++) {
        int below = role_around(first + ivec2(0, row + 1));
        found |= above == YIELDS && here == SLOWS && below == LOOSE ? 1u << row : 0u;
        above = here;
        here = below;
    }
    uint spilling = 0u;
    for (; found != 0u; found &= found - 1u) {
        ivec2 at = first + ivec2(0, findLSB(found));
        uint word = is_at_rest(at) && floats(at + ivec2(0, 1)) ? spill_from(at) : 0u;
        if (word != 0u) {
            spilling |= found & -found;
            store_spills(at, word);
            store_spills(place_of_spill(word, at), 0u);
        }
    }
    store_spilling(unit(), spilling);
}
