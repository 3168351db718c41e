#version 430
// Transfer matter within each body: the surface cell with the winning offer to give transfers it to the cell with the
// winning offer to take, if the second cell is low enough. Law: matter changes places; no two bodies name one cell.
// Twin: oracle.pressure.transfer. Source: seed 003, "Fixing pressure".
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/labelled.glsl"
#include "pressure/offers.glsl"
#include "pressure/moving.glsl"

#define MOVES_ATOMS
#define GIVES
#include "generated/matter.glsl"

#include "pressure/strips.glsl"
#include "pressure/waking.glsl"

uniform uint substep; // the number of the round

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    uvec4 lots = drawn_lots(first, substep);
    // Other bodies may change other surfaces of this strip meanwhile, but not the winners. The loops are separate; see
    // reactions/react.comp for the reason.
    uint winners = 0u;
    uint open = load_surfaces(strip_with(first));
    if (open != 0u)
        do {
            ivec2 at = first + ivec2(0, findLSB(open));
            uint label = body_at(at);
            ivec2 body = place_of_label(max(label, 1u));
            bool wins = label != 0u && !is_shared(body) && is_offer_of(load_sources(body), at, lots);
            winners |= wins ? bit_of(at) : 0u;
            open &= open - 1u;
        } while (open != 0u);
    if (winners != 0u)
        do {
            ivec2 at = first + ivec2(0, findLSB(winners));
            uint label = body_at(at);
            ivec2 body = place_of_label(label);
            uint taking = load_sinks(body);
            bool is_last = int(substep) == ROUNDS - 1;
            bool gives = taking != 0u && has_giver(body) && give(at, who_takes(taking, lots), label);
            store_sources(body, 0u); // for the next round
            if (gives || !is_last)   // else liquid under a load may still move there
                store_sinks(body, 0u);
            if (has_giver(body))
                begin_next_round(body);
            if (gives) {
                mark_active(tick);
                if (is_last)
                    note_unfinished(at);
            } else
                rest(body);
            winners &= winners - 1u;
        } while (winners != 0u);
}
