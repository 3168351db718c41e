#version 430
// The highest level that can give and the lowest level that can take, of each body of a mixture: each open surface cell
// bids its own. Law: a maximum is the same in any order. Twin: oracle.pressure.bid.
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
        if (load_highest(body) < giving) // a read is cheaper than an atomic operation
            atomic_max_highest(body, giving);
        if (load_lowest(body) < taking)
            atomic_max_lowest(body, taking);
    }
}
