#version 430
// In a part of a world, record the amounts in the cells that won the offers of a body which lies in several parts, if
// they are own cells. Analysis only; the ranks join these, see gpufluid/cluster/mixture_bodies.py.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/bodies.glsl"
#include "pressure/offers.glsl"
#include "generated/matter.glsl"

uniform uint substep; // the number of the round

#include "generated/layout.glsl"

// The invocation of a column's first strip works for the bodies whose places lie below the column.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y > 0)
        return;
    uvec4 lots = drawn_lots(first, substep);
    for (int row = 0; row < SET_ROWS; row++) {
        ivec2 body = ivec2(first.x, frame.y + row);
        uint giving = load_sources(body), taking = load_sinks(body);
        uvec4 winners = uvec4(0u);
        if (giving != 0u && taking != 0u) {
            ivec2 source = who_gives(giving, lots), sink = who_takes(taking, lots);
            if (is_own(source))
                winners.x = uint(amount_at(source));
            if (is_own(sink))
                winners.yz = uvec2(amount_at(sink), room_in(sink, amount_at(sink)));
        }
        store_winners(ivec2(first.x, row), winners);
    }
}
