#version 430
// In a part of a world, transfer matter within each body that lies in several parts, as transfer.comp does within the
// others: what the part has of it. All parts that have the body do this alike. In a whole world there is no such body.
// Twin: oracle.pressure.transfer_in_part.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/labelled.glsl"
#include "pressure/offers.glsl"
#include "pressure/moving.glsl"

#define MOVES_ATOMS
#define GIVES_IN_PART
#include "generated/matter.glsl"

#include "pressure/strips.glsl"
#include "pressure/waking.glsl"

uniform uint substep; // the number of the round

// The invocation of a column's first strip works for the bodies whose places lie below the column.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y > 0)
        return;
    uvec4 lots = drawn_lots(first, substep);
    for (int row = 0; row < set_rows(); row++) {
        ivec2 body = ivec2(first.x, frame.y + row), source;
        bool gives = transfer_in_part(body, load_winners(place_of_winners(body)), lots, source);
        if (gives && is_own(source)) {
            mark_active(tick);
            if (int(substep) == ROUNDS - 1)
                note_unfinished(source);
        }
    }
}
