#version 430
// Bodies of liquid (connected components of liquid cells), first part: link each liquid cell to the uppermost cell that
// it is connected with in its strip of a column. Twin: oracle.pressure.label.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/bodies.glsl"
#define LABELS
#include "generated/matter.glsl"

#include "pressure/strips.glsl"

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    uint above = 0u, uppermost = 0u;
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        uint liquid = liquid_at(at);
        uppermost = liquid == above ? uppermost : label_of_place(at);
        store_labels(at, liquid == 0u ? 0u : uppermost);
        if (liquid != 0u && liquid != above)
            begin_bids(at);
        above = liquid;
    }
}
