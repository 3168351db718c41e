#version 430
// Flag the tiles that hold liquid at rest, and those that hold powder at rest. Analysis only; see waking.glsl.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/pressure.glsl"
#include "generated/strip.glsl"
#include "generated/matter.glsl"

#include "pressure/strips.glsl"
#include "pressure/waking.glsl"

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    uint found = 0u;
    for (int row = 0; row < rows; row++)
        found |= flags_at(first + ivec2(0, row));
    if ((found & 1u) != 0u)
        note_found(LIQUID, first);
    if ((found & 2u) != 0u)
        note_found(POWDER, first);
}
