#version 430
// Bodies of liquid, third part: every cell takes its body's label; and which cells are open surfaces, if matter is such
// that only the uppermost of a run can be.
// Twin: oracle.pressure.compress_labels.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/linking.glsl"
#define COMPRESSES_LABELS
#include "generated/matter.glsl"

#include "generated/layout.glsl"

// Only the uppermost cells of a strip's runs have been linked to others: the rest of a run is linked to the uppermost.
// In loops of their own; see reactions/react.comp for why.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    uint tops = 0u, uppermost = 0u, open = 0u, body = 0u;
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
        open |= shows_surface(at) ? bit_of(at) : 0u;
        if (label == label_of_place(at)) {
            store_sources(at, 0u);
            store_sinks(at, 0u);
        }
    }
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        uint link = label_at(at);
        body = (tops >> row & 1u) != 0u ? link : body;
        store_labels(at, link == 0u ? 0u : body);
    }
    keep_surfaces(first, open);
}
