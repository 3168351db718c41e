#version 430
// Offers of surface cells: of the cells at the highest level of their body one offers to give, of those at the lowest
// one to take. Law: a maximum is the same in any order. Twin: oracle.pressure.offer. Surfaces of a body that rests are
// hidden, so that later rounds need not look at them. In a whole world cells bid here, and make their offers by what is
// known so far. In a part of a world bid.comp has found the levels of each body, and all parts have joined them; there
// the surfaces of a body without a cell that can give are hidden, too, unless another body has closed one of them.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#define KNOWS_ABOVE
#define BIDS
#include "pressure/labelled.glsl"
#include "pressure/offers.glsl"

uniform uint substep; // the number of the round

#define OFFERS
#include "generated/matter.glsl"

#include "pressure/strips.glsl"
#include "pressure/bidding.glsl"

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

// Test if an offer is better than the best one so far: of a higher level, or of the same level and greater.
bool is_better(uint level, uint offered, uint best_level, uint best)
{
    return best == 0u || best_level < level || (best_level == level && best < offered);
}

// Make the offer of a cell whose bid to give may be the best. Returns false if another cell has made an offer
// meanwhile: then the cell must try again.
bool contend_to_give(ivec2 at, ivec2 body, uvec4 lots)
{
    uint level = levels_at(at).x;
    if (level < load_highest(body) || !contends_to_give(level))
        return true;
    uint offered = offer_to_give(at, lots) | (gives_first(at) ? first_of_row() : 0u), best = load_sources(body);
    uint best_level = best == 0u || best == offered ? level : levels_at(who_gives(best, lots)).x;
    return !is_better(level, offered, best_level, best) || atomic_swap_sources(body, best, offered) == best;
}

bool contend_to_take(ivec2 at, ivec2 body, uvec4 lots)
{
    uint level = levels_at(at).y;
    if (level < load_lowest(body) || level == 0u)
        return true;
    uint offered = offer_to_take(at, lots) | (takes_first(at) ? first_of_row() : 0u), best = load_sinks(body);
    uint best_level = best == 0u || best == offered ? level : levels_at(who_takes(best, lots)).y;
    return !is_better(level, offered, best_level, best) || atomic_swap_sinks(body, best, offered) == best;
}

// In a body without bids all open surfaces offer, and the row in each offer decides. The loops are separate; see
// reactions/react.comp for the reason. A cell that must try again does so in the loop over all such cells: a compiler
// has left out iterations of nested loops.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    uvec4 lots = drawn_lots(first, substep);
    uint open = load_surfaces(strip_with(first));
    uint bidding = ALL_BID && substep == 0u ? open : 0u; // no body rests in the first round
    uint giving = 0u, taking = 0u, resting = 0u;
    open &= ~bidding;
    if (open != 0u)
        do {
            ivec2 at = first + ivec2(0, findLSB(open)), body = place_of_label(body_at(at));
            bool bids = has_bids(body), is_resting = substep > 0u && rests(body);
            resting |= is_resting ? bit_of(at) : 0u;
            bidding |= bids && !is_resting ? bit_of(at) : 0u;
            if (!bids)
                make_offers(at, body, bvec2(is_open(at)), lots); // another body may now lie on this cell
            open &= open - 1u;
        } while (open != 0u);
    if (bidding != 0u)
        do {
            ivec2 at = first + ivec2(0, findLSB(bidding)), body = place_of_label(body_at(at));
            if (HAS_HALO) {
                make_offers(at, body, may_offer(at, body), lots);
                resting |= has_no_giver(body) ? bit_of(at) : 0u;
            } else {
                bvec2 best = bid(at, body);
                giving |= best.x ? bit_of(at) : 0u;
                taking |= best.y ? bit_of(at) : 0u;
            }
            bidding &= bidding - 1u;
        } while (bidding != 0u);
    if (giving != 0u)
        do {
            ivec2 at = first + ivec2(0, findLSB(giving));
            if (contend_to_give(at, place_of_label(body_at(at)), lots))
                giving &= giving - 1u;
        } while (giving != 0u);
    if (taking != 0u)
        do {
            ivec2 at = first + ivec2(0, findLSB(taking));
            if (contend_to_take(at, place_of_label(body_at(at)), lots))
                taking &= taking - 1u;
        } while (taking != 0u);
    if (resting != 0u)
        hide_surfaces(first, resting);
}
