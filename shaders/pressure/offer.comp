#version 430
// Offers of open surface cells: each offers to give and to take; of each body the highest and the lowest win. Law: a
// maximum is the same in any order. Twin: oracle.pressure.offer.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/labelled.glsl"
#include "pressure/offers.glsl"
#define LEVELS_KNOWN
#include "generated/matter.glsl"

#include "generated/layout.glsl"

uniform uint substep; // the number of the round

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    uvec4 lots = drawn_lots(first, substep);
    for (uint open = load_surfaces(strip_with(first)); open != 0u; open &= open - 1u) {
        ivec2 at = first + ivec2(0, findLSB(open));
        if (!is_open(at)) // another body now lies on this cell
            continue;
        ivec2 body = place_of_label(body_at(at));
        uint giving = may_offer_to_give(at, body) ? offer_to_give(at, lots) : 0u;
        uint taking = may_offer_to_take(at, body) ? offer_to_take(at, lots) : 0u;
        giving |= giving != 0u && gives_first(at) ? first_of_row() : 0u;
        taking |= taking != 0u && takes_first(at) ? first_of_row() : 0u;
        if (load_sources(body) < giving) // a read is cheaper than an atomic operation
            atomic_max_sources(body, giving);
        if (load_sinks(body) < taking)
            atomic_max_sinks(body, taking);
    }
}
