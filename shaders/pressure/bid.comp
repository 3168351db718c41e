#version 430
// In a part of a world, find for each body the highest level of a surface cell that can give and the lowest level of a
// surface cell that can take: each surface cell bids its own level. Law: a maximum is the same in any order. Surfaces
// of a body that rests are hidden, so that later rounds need not look at them. In a whole world offer.comp finds the
// levels. Twin: oracle.pressure.bid.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#define KNOWS_ABOVE
#define BIDS
#include "pressure/labelled.glsl"

uniform uint substep; // the number of the round

#include "generated/matter.glsl"

#include "pressure/strips.glsl"
#include "pressure/bidding.glsl"

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    // The loops are separate; see reactions/react.comp for the reason.
    uint bidding = 0u, resting = 0u;
    uint open = load_surfaces(strip_with(first));
    if (open != 0u)
        do {
            ivec2 at = first + ivec2(0, findLSB(open)), body = place_of_label(body_at(at));
            bool is_resting = substep > 0u && rests(body);
            resting |= is_resting ? bit_of(at) : 0u;
            bidding |= !is_resting && has_bids(body) ? bit_of(at) : 0u;
            open &= open - 1u;
        } while (open != 0u);
    if (resting != 0u)
        hide_surfaces(first, resting);
    if (bidding != 0u)
        do {
            ivec2 at = first + ivec2(0, findLSB(bidding)), body = place_of_label(body_at(at));
            bid(at, body);
            bidding &= bidding - 1u;
        } while (bidding != 0u);
}
