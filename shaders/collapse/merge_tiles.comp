#version 430
// Merge neighbouring tiles that hold loose solid, or may get it, into one cluster. Analysis only; see waking.glsl.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "collapse/tile_clusters.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void merge_with(ivec2 tile, ivec2 offset)
{
    ivec2 next = tile_beside(tile, offset);
    if (in_cluster(next))
        merge(number_of(tile), number_of(next));
}

void main()
{
    ivec2 tile = invocation();
    if (any(greaterThanEqual(tile * TILE, frame_size(size))) || all_rest(TESTED_IN) || !in_cluster(tile))
        return;
    merge_with(tile, ivec2(-1, 0));
    merge_with(tile, ivec2(0, -1));
}
