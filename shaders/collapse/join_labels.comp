#version 430
// Pieces, last part, in a part of a world: give every cell of a piece that crosses into other parts one label. The link
// of each root of such a piece, from gpufluid/cluster/joined_sets.py, is a place below the cells of the part. Analysis
// only.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "collapse/linking.glsl"

#include "collapse/strips.glsl"

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        uint label = label_at(at), joined = label == 0u ? 0u : link_of(label);
        if (joined != label)
            store_pieces(at, joined);
    }
}
