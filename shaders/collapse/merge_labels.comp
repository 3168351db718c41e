#version 430
// Pieces, second part: merge the labels of loose cells that touch across the boundary between two strips.
// Twin: oracle.collapse.merge_labels.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "collapse/linking.glsl"
#include "collapse/roles.glsl"
#include "lib/domain.glsl"

#include "collapse/strips.glsl"

void merge_with(ivec2 at, ivec2 neighbour) { merge(label_at(at), label_at(inside_world(neighbour, frame_size(size)))); }

// Of consecutive cells that touch the strip to the left only the first merges the two. The loops are separate; see
// reactions/react.comp for the reason.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    bool known = !is_beyond(first - ivec2(1, 0));
    uint meeting = 0u;
    bool touching = false; // the row above touches the strip to the left
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        bool touches = known && is_loose(at) && role_around(at - ivec2(1, 0)) == LOOSE;
        meeting |= touches && !touching ? 1u << row : 0u;
        touching = touches;
    }
    ivec2 above = first - ivec2(0, 1);
    if (is_loose(first) && !is_beyond(above) && role_around(above) == LOOSE)
        merge_with(first, above);
    for (; meeting != 0u; meeting &= meeting - 1u) {
        ivec2 at = first + ivec2(0, findLSB(meeting));
        merge_with(at, at - ivec2(1, 0));
    }
}
