#version 430
// Bodies of liquid, second part: merge the labels of liquid cells that touch across the boundary between two strips.
// Twin: oracle.pressure.merge_labels.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "lib/domain.glsl"
#include "pressure/linking.glsl"
#include "generated/matter.glsl"

#include "pressure/strips.glsl"

// The liquid at rest at a place, which may lie outside the world; 0: none.
uint kind_around(ivec2 at)
{
    ivec2 frame = frame_size(size), cell = inside_world(at, frame);
    return is_outside(at, frame) || label_at(cell) == 0u ? 0u : kind_at(cell);
}

void merge_with(ivec2 at, ivec2 neighbour) { merge(label_at(at), label_at(inside_world(neighbour, frame_size(size)))); }

// Of consecutive cells that touch the strip to the left only the first merges the two. The loops are separate; see
// reactions/react.comp for the reason.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    bool known = !is_beyond(first - ivec2(1, 0)) && is_labelled(first - ivec2(1, 0));
    uint meeting = 0u, touching = 0u; // touching: the liquid that the row above shares with the strip to the left
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        uint kind = kind_around(at);
        uint touches = known && kind == kind_around(at - ivec2(1, 0)) ? kind : 0u;
        meeting |= touches != 0u && touches != touching ? 1u << row : 0u;
        touching = touches;
    }
    bool goes_on = !is_beyond(first - ivec2(0, 1)) && is_labelled(first - ivec2(0, 1));
    uint upward = goes_on ? kind_around(first) : 0u;
    for (bool meets = upward != 0u && upward == kind_around(first - ivec2(0, 1)); meets; meets = false)
        merge_with(first, first - ivec2(0, 1));
    for (; meeting != 0u; meeting &= meeting - 1u) {
        ivec2 at = first + ivec2(0, findLSB(meeting));
        merge_with(at, at - ivec2(1, 0));
    }
}
