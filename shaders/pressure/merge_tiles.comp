#version 430
// Merge neighbouring tiles that hold liquid, or may get it, into one component. Analysis only; see waking.glsl.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/tile_components.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 tile = invocation();
    if (any(greaterThanEqual(tile * TILE, frame_size(size))) || all_rest(1) || !in_component(tile))
        return;
    merge_with_neighbours(tile);
}
