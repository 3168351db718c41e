#version 430
// Compute the scan of each strip of a column as one word: how far an atom above the strip can fall. So an atom knows
// whether the run of atoms below it falls or rests, at any depth. Twin: oracle.atoms.survey.
#include "generated/images.glsl"
#include "atoms/line.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

#include "atoms/falling.glsl"

void main()
{
    ivec2 strip = invocation();
    ivec2 frame = frame_size(size);
    int first = strip.y * STRIP;
    if (strip.x >= frame.x || first >= frame.y)
        return;
    Scan scan = SCAN_NOTHING;
    for (int index = min(first + STRIP, frame.y) - 1; index >= first; index--)
        scan = longer_behind(scan, step_at(strip.x, index));
    store_survey(strip, scan_word(scan));
}
