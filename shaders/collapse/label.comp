#version 430
// Pieces (connected components of loose solid), first part: link each loose cell to the uppermost cell that it is
// connected with in its strip of a column. Twin: oracle.collapse.label.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/collapse.glsl"
#include "generated/strip.glsl"
#include "atoms/amounts.glsl"
#include "lib/labels.glsl"

#include "collapse/strips.glsl"

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    uint uppermost = 0u;
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        bool loose = ROLE[int(material_at(to_world(at, size)))] == LOOSE;
        uppermost = !loose ? 0u : uppermost == 0u ? label_of_place(at) : uppermost;
        store_pieces(at, uppermost);
    }
}
