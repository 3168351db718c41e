#version 430
// Flag the tiles that hold loose solid. Analysis only; see waking.glsl.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/collapse.glsl"
#include "generated/strip.glsl"
#include "lib/frame.glsl"

#include "collapse/strips.glsl"
#include "collapse/waking.glsl"

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    bool found = false;
    for (int row = 0; row < rows; row++)
        found = found || ROLE[int(load_material(to_world(first + ivec2(0, row), size)))] == LOOSE;
    if (found)
        note_cell(LOOSE_SOLID, first, frame, 1u);
}
