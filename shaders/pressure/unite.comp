#version 430
// Bodies of liquid, second part: what touches across the sides of strips is united. Twin: oracle.pressure.unite.
#include "generated/images.glsl"
#include "pressure/linking.glsl"
#include "generated/matter.glsl"

#include "generated/way.glsl"

// Whether a neighbour is of the same liquid.
bool is_same(uint liquid, ivec2 neighbour)
{
    ivec2 frame = frame_size(size);
    return liquid != 0u && !is_outside(neighbour, frame) && liquid_at(inside_world(neighbour, frame)) == liquid;
}

void unite_with(ivec2 at, ivec2 neighbour) { unite(label_at(at), label_at(inside_world(neighbour, frame_size(size)))); }

// Of a row of cells that touch the strip to the left, one below the other, the first unites both.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    if (is_same(liquid_at(first), first - ivec2(0, 1)))
        unite_with(first, first - ivec2(0, 1));
    uint touching = 0u; // the liquid by which the row above touches
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row), left = at - ivec2(1, 0);
        uint liquid = liquid_at(at);
        bool touches = is_same(liquid, left);
        if (touches && touching != liquid)
            unite_with(at, left);
        touching = touches ? liquid : 0u;
    }
}
