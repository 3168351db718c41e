#version 430
// In a part of a world, record the cells that won the offers of each body which lies in several parts, or what they
// hold. Analysis only; see gpufluid/cluster/mixture_bodies.py and atom_bodies.py.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#define KNOWS_ABOVE
#include "pressure/bodies.glsl"
#include "pressure/offers.glsl"
#define SEES_WINNERS
#include "generated/matter.glsl"

uniform uint substep; // the number of the round

#include "pressure/strips.glsl"

// The invocation of a column's first strip works for the bodies whose places lie below the column.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y > 0)
        return;
    uvec4 lots = drawn_lots(first, substep);
    for (int row = 0; row < set_rows(); row++) {
        ivec2 body = ivec2(first.x, frame.y + row);
        uint giving = load_sources(body), taking = load_sinks(body);
        uvec4 winners = giving != 0u && taking != 0u ? winners_of(body, giving, taking, lots) : uvec4(0u);
        store_winners(place_of_winners(body), winners);
    }
}
