#version 430
// Offers of liquid under a load: a cell under another liquid offers to give if its body's lowest surface is low enough
// for the load to push liquid up there. Of each body the highest such cell wins. Law: a maximum is the same in
// any order. Twin: oracle.pressure.offer_under_load.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/loads.glsl"
#include "pressure/offers.glsl"
#include "generated/matter.glsl"

#include "pressure/strips.glsl"

// Test if the load on a cell is of another liquid, and heavy enough to push the cell's liquid up to a sink. The load
// counts as so many rows of the cell's own liquid as weigh the same, rounded down.
bool is_pushed(ivec2 at, Load load, ivec2 sink)
{
    uint above = material_at(to_world(inside_world(at - ivec2(0, 1), frame_size(size)), size));
    uint own = material_at(to_world(at, size));
    int rows = int(uint(load.height) * uint(density_of(int(above))) / uint(max(density_of(int(own)), 1)));
    int taking_row = level_under(sink, float_on(sink), false) / LEVEL_ONE;
    return above != own && taking_row - (at.y - rows) >= LEAST_DROP;
}

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    uvec4 lots = drawn_lots(first, uint(ROUNDS - 1)); // sinks are those of the last round
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    ivec2 above = first - ivec2(0, 1);
    uint over = is_outside(above, frame) ? 0u : label_at(inside_world(above, frame));
    uint between = 0u, offering = 0u;
    for (int row = 0; row < rows; row++) {
        uint label = label_at(first + ivec2(0, row));
        between |= label != over && label != 0u && over != 0u ? 1u << row : 0u;
        over = label;
    }
    for (uint left = between; left != 0u; left &= left - 1u) {
        ivec2 at = first + ivec2(0, findLSB(left)), body = place_of_label(label_at(at));
        uint taking = load_sinks(body);
        if (taking == 0u)
            continue;
        Load load = load_on(at);
        if (!is_open(load.top) || !is_pushed(at, load, who_takes(taking, lots)))
            continue;
        offering |= bit_of(at);
        atomic_max_sources(body, offer_to_give(at, lots));
    }
    store_surfaces(strip_with(first), offering);
}
