#version 430
// In a part of a world, record which liquid moves under a load, if the load or powder on the surface that takes reaches
// above the own rows, or the body lies in several parts. The ranks then move the contents of the cells, see
// gpufluid/cluster/atom_bodies.py; transfer_under_load.comp does not see these surfaces. In a whole world there are
// none. Twin: oracle.pressure.transfer_load_across.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#define KNOWS_ABOVE
#include "pressure/loads.glsl"
#include "pressure/offers.glsl"
#define MOVES_ACROSS
#include "generated/matter.glsl"

#include "pressure/strips.glsl"
#include "pressure/waking.glsl"

// Where liquid under a load is recorded, one word each: the columns, the rows of the liquid and of the top of the load,
// and the row of the surface that takes with the atoms that float on it.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    uvec4 lots = drawn_lots(first, uint(ROUNDS - 1));
    uint across = 0u;
    for (uint offering = load_surfaces(strip_with(first)); offering != 0u; offering &= offering - 1u) {
        ivec2 at = first + ivec2(0, findLSB(offering)), body = place_of_label(label_at(at));
        if (!is_offer_of(load_sources(body), at, lots))
            continue;
        Load load = load_on(at);
        uvec2 place = uvec2(whole_place(at)),
              giving = uvec2(place.x + 1u, place.y | uint(whole_place(load.top).y) << 16);
        if (is_shared(body))
            store_winners(place_of_winners(body), uvec4(giving, 0u, 0u));
        else {
            ivec2 sink = who_takes(load_sinks(body), lots);
            Float on_sink = float_on(sink);
            bool at_end = is_above_own(load.top.y - 1);
            if (!at_end && !is_across(sink, on_sink))
                continue;
            uvec2 taking = winner(sink, on_sink);
            int column = at_end ? at.x : sink.x; // only one run in a column reaches so far
            store_winners(ivec2(column, 0), uvec4(giving, taking));
        }
        across |= bit_of(at);
        mark_active(tick);
        note_unfinished(at);
    }
    if (across != 0u)
        atomic_and_surfaces(strip_with(first), ~across);
}
