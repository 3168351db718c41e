#version 430
// Merge neighbouring tiles that hold liquid, or may get it, into one component. Analysis only; see waking.glsl.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/tile_components.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void meet(ivec2 tile, ivec2 way)
{
    ivec2 next = tile_beside(tile, way);
    if (is_wet(next))
        merge(number_of(tile), number_of(next));
}

void main()
{
    ivec2 tile = invocation();
    if (any(greaterThanEqual(tile * TILE, frame_size(size))) || all_rest() || !is_wet(tile))
        return;
    meet(tile, ivec2(-1, 0));
    meet(tile, ivec2(0, -1));
}
