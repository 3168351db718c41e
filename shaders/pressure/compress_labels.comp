#version 430
// Bodies of liquid, third part: give every cell the label of its body. In bodies of atoms also find the open surfaces;
// only the uppermost cell of a run can be an open surface. Twin: oracle.pressure.compress_labels.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#define KNOWS_ABOVE
#include "pressure/linking.glsl"
#define COMPRESSES_LABELS
#include "generated/matter.glsl"

#include "pressure/strips.glsl"

// Only the uppermost cell of a run in a strip is linked to other runs; the rest of the run is linked to it. The loops
// are separate; see reactions/react.comp for the reason.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    uint tops = 0u, uppermost = 0u, open = 0u, under_powder = 0u, body = 0u;
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        uint link = label_at(at);
        bool is_top = link != 0u && link != uppermost;
        uppermost = link == 0u ? 0u : is_top ? label_of_place(at) : uppermost;
        tops |= is_top ? 1u << row : 0u;
    }
    for (uint left = tops; left != 0u; left &= left - 1u) {
        ivec2 at = first + ivec2(0, findLSB(left));
        uint label = root_of(label_at(at));
        store_labels(at, label);
        open |= is_open(at) ? bit_of(at) : 0u;
        under_powder |= may_float_on(at) ? bit_of(at) : 0u;
        if (label == label_of_place(at)) {
            store_sources(at, 0u);
            store_sinks(at, 0u);
        }
    }
    for (; under_powder != 0u; under_powder &= under_powder - 1u) {
        ivec2 at = first + ivec2(0, findLSB(under_powder));
        open |= bears_powder(at, label_at(at)) ? bit_of(at) : 0u;
    }
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        uint link = label_at(at);
        body = (tops >> row & 1u) != 0u ? link : body;
        store_labels(at, link == 0u ? 0u : body);
    }
    keep_surfaces(first, open);
}
