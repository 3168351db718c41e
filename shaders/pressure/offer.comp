#version 430
// Offers of surface cells: those at the highest level of their body offer to give, those at the lowest to take. Law: a
// maximum is the same in any order. Twin: oracle.pressure.offer. Surfaces of a body without a cell that can give are
// hidden, so that later rounds need not look at them, unless another body has closed a surface of the body.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#define KNOWS_ABOVE
#define BIDS
#include "pressure/labelled.glsl"
#include "pressure/offers.glsl"

uniform uint substep; // the number of the round

#define LEVELS_KNOWN
#include "generated/matter.glsl"

#include "pressure/strips.glsl"

void make_offers(ivec2 at, ivec2 body, bvec2 may, uvec4 lots)
{
    uint giving = may.x ? offer_to_give(at, lots) : 0u, taking = may.y ? offer_to_take(at, lots) : 0u;
    giving |= may.x && gives_first(at) ? first_of_row() : 0u;
    taking |= may.y && takes_first(at) ? first_of_row() : 0u;
    if (load_sources(body) < giving) // a read is cheaper than an atomic operation
        atomic_max_sources(body, giving);
    if (load_sinks(body) < taking)
        atomic_max_sinks(body, taking);
}

// In a body without bids all open surfaces offer, and the row in each offer decides. The loops are separate; see
// reactions/react.comp for the reason.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    uvec4 lots = drawn_lots(first, substep);
    uint bidding = 0u, resting = 0u;
    uint open = load_surfaces(strip_with(first));
    if (open != 0u)
        do {
            ivec2 at = first + ivec2(0, findLSB(open)), body = place_of_label(body_at(at));
            bool bid = has_bids(body);
            bidding |= bid ? bit_of(at) : 0u;
            make_offers(at, body, bvec2(!bid && is_open(at)), lots); // another body may now lie on this cell
            open &= open - 1u;
        } while (open != 0u);
    if (bidding != 0u)
        do {
            ivec2 at = first + ivec2(0, findLSB(bidding)), body = place_of_label(body_at(at));
            make_offers(at, body, may_offer(at, body), lots);
            resting |= has_no_giver(body) ? bit_of(at) : 0u;
            bidding &= bidding - 1u;
        } while (bidding != 0u);
    if (resting != 0u)
        hide_surfaces(first, resting);
}
