#version 430
// Pieces, third part: give every cell the label of its piece, and set the sums of each piece to 0.
// Twin: oracle.collapse.compress_labels.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "collapse/linking.glsl"

#include "collapse/strips.glsl"

// Only the uppermost cell of a run in a strip is linked to other runs; the rest of the run is linked to it. The loops
// are separate; see reactions/react.comp for the reason.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    uint tops = 0u, piece = 0u;
    bool loose = false;
    for (int row = 0; row < rows; row++) {
        bool also = label_at(first + ivec2(0, row)) != 0u;
        tops |= also && !loose ? 1u << row : 0u;
        loose = also;
    }
    for (uint left = tops; left != 0u; left &= left - 1u) {
        ivec2 at = first + ivec2(0, findLSB(left));
        uint label = root_of(label_at(at));
        store_pieces(at, label);
        if (label == label_of_place(at)) {
            store_held(at, 0u);
            store_weight_low(at, 0u);
            store_weight_high(at, 0u);
        }
    }
    for (int row = 0; row < rows && tops != 0u; row++) {
        ivec2 at = first + ivec2(0, row);
        uint link = label_at(at);
        piece = (tops >> row & 1u) != 0u ? link : piece;
        if (link != 0u)
            store_pieces(at, piece);
    }
}
