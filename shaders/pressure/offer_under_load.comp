#version 430
// Offers of liquid under a load: a cell under another liquid offers to give if its body's lowest surface is low enough
// for the load to push liquid up there. Of each body the highest such cell wins. Law: a maximum is the same in
// any order. Twin: oracle.pressure.offer_under_load.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#define KNOWS_ABOVE
#include "pressure/loads.glsl"
#include "pressure/offers.glsl"
#include "generated/matter.glsl"

#include "pressure/strips.glsl"

// The row of a body's lowest surface on which powder counts as liquid, from the sink of the last round.
int row_taking(ivec2 body, ivec2 sink)
{
    return has_bids(body) ? level_taking(body) / LEVEL_ONE : int(row_in_offers(sink));
}

// Test if the load on a cell is of another liquid, and heavy enough to push the cell's liquid up to a row. The load
// counts as so many rows of the cell's own liquid as weigh the same, rounded down.
bool is_pushed(ivec2 at, Load load, int row)
{
    uint above = material_at(to_world(inside_world(at - ivec2(0, 1), frame_size(size)), size));
    uint own = material_at(to_world(at, size));
    int rows = int(uint(load.height) * uint(density_of(int(above))) / uint(max(density_of(int(own)), 1)));
    return above != own && row - (int(row_in_offers(at)) - rows) >= LEAST_DROP;
}

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    uvec4 lots = drawn_lots(first, uint(ROUNDS - 1)); // sinks are those of the last round
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    uint over = 0u, between = 0u, offering = 0u;
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        uint label = label_at(at);
        over = row == 0 || at.y == first_own_row() ? label_above(at) : over;
        between |= label != over && label != 0u && over != 0u ? 1u << row : 0u;
        over = label;
    }
    for (uint left = between & own_bits(first); left != 0u; left &= left - 1u) {
        ivec2 at = first + ivec2(0, findLSB(left)), body = place_of_label(label_at(at));
        uint taking = load_sinks(body);
        if (taking == 0u)
            continue;
        Load load = load_on(at);
        if (!load.open || !is_pushed(at, load, row_taking(body, own_place(who_takes(taking, lots)))))
            continue;
        offering |= bit_of(at);
        atomic_max_sources(body, offer_to_give(at, lots));
    }
    store_surfaces(strip_with(first), offering);
}
