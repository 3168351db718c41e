#version 430
// In a part of a world, transfer matter within each body that lies in it alone, if powder that floats on one of the two
// surfaces reaches above the own rows: update labels and surfaces, as transfer.comp does within the others, and record
// the two surfaces. The ranks then move the contents of the cells, see gpufluid/cluster/atom_bodies.py. In a whole
// world there is no such body. Twin: oracle.pressure.transfer_across.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/labelled.glsl"
#include "pressure/offers.glsl"
#include "pressure/moving.glsl"

#define KNOWS_ABOVE
#define MOVES_ACROSS
#include "generated/matter.glsl"

#include "pressure/strips.glsl"
#include "pressure/waking.glsl"

uniform uint substep; // the number of the round

// Transfer from a surface with the winning offer to give, if this is for this pass.
void transfer_from(ivec2 source, uvec4 lots)
{
    uint label = body_at(source);
    ivec2 body = place_of_label(label), sink = who_takes(load_sinks(body), lots);
    Float on_source = float_on(source), on_sink = float_on(sink);
    bool from_across = is_across(source, on_source);
    if (!from_across && !is_across(sink, on_sink))
        return;
    int drop = level_under(sink, on_sink, false) - level_under(source, on_source, true);
    bool gives = drop > (LEAST_DROP - 1) * LEVEL_ONE, is_last = int(substep) == ROUNDS - 1;
    store_sources(body, 0u); // for the next round
    if (gives || !is_last)   // else liquid under a load may still move there
        store_sinks(body, 0u);
    if (!gives)
        return;
    // Only one stack in a column reaches so far.
    int column = from_across ? source.x : sink.x;
    store_winners(ivec2(column, 0), uvec4(winner(source, on_source), winner(sink, on_sink)));
    ivec2 over = sink - ivec2(0, 1), under = source + ivec2(0, 1);
    leave_body(source);
    hide_surface(sink);
    join_body(over, label);
    if (label_at(under) == label)
        show_surface(under);
    mark_active(tick);
    if (is_last)
        note_unfinished(source);
}

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    uvec4 lots = drawn_lots(first, substep);
    uint winners = 0u;
    uint open = load_surfaces(strip_with(first));
    if (open != 0u)
        do {
            ivec2 at = first + ivec2(0, findLSB(open));
            uint label = body_at(at);
            ivec2 body = place_of_label(max(label, 1u));
            uint giving = label == 0u || is_shared(body) || load_sinks(body) == 0u ? 0u : load_sources(body);
            winners |= giving != 0u && is_offer_of(giving, at, lots) ? bit_of(at) : 0u;
            open &= open - 1u;
        } while (open != 0u);
    if (winners != 0u)
        do {
            transfer_from(first + ivec2(0, findLSB(winners)), lots);
            winners &= winners - 1u;
        } while (winners != 0u);
}
