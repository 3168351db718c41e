#version 430
// In a part of a world, transfer the heat that goes along with what flows within each body that lies in several
// parts. In a whole world there is no such body. Twin: oracle.pressure.transfer_heat.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/bodies.glsl"
#include "pressure/offers.glsl"
#define TRANSFERS_HEAT
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
        ivec2 source = own_place(who_gives(giving, lots)), sink = own_place(who_takes(taking, lots)),
              at = place_of_winners(body);
        if (giving != 0u && taking != 0u)
            give_heat_in_part(source, sink, load_winners(at), load_heats(at));
    }
}
