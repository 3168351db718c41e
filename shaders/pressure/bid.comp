#version 430
// Each open surface cell of a mixture says how high it stands, if it may give, and how low, if it may take; of each
// body the highest and the lowest level win. Law: a maximum is the same in any order. Twin: oracle.pressure.bid.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/labelled.glsl"
#include "generated/matter.glsl"

#include "generated/layout.glsl"

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    for (uint open = load_surfaces(strip_with(first)); open != 0u; open &= open - 1u) {
        ivec2 at = first + ivec2(0, findLSB(open)), body = place_of_label(body_at(at));
        uint giving = level_to_give(at), taking = level_to_take(at);
        if (load_highest(body) < giving) // to look is cheaper
            atomic_max_highest(body, giving);
        if (load_lowest(body) < taking)
            atomic_max_lowest(body, taking);
    }
}
