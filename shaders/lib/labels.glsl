// Labels of cells: 1 plus the index of a cell, counted along the rows of gravity's frame. A connected set of cells has
// the label of its first cell. Twin: oracle/labelling.py.
#include "generated/tick.glsl"
#include "lib/frame.glsl"

uint label_of_place(ivec2 at) { return uint(at.y * frame_size(size).x + at.x) + 1u; }

ivec2 place_of_label(uint label)
{
    int place = int(label - 1u), across = frame_size(size).x;
    return ivec2(place % across, place / across);
}
