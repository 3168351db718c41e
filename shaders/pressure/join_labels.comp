#version 430
// Bodies of liquid, in a part of a world: give every cell of a body that lies in several parts one label. The link of
// each root of such a body, from gpufluid/cluster/joined_sets.py, is a place below the cells of the part. Analysis
// only.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/linking.glsl"

#include "pressure/strips.glsl"

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
            store_labels(at, joined);
    }
}
