#version 430
// Merge neighbouring tiles that hold loose solid, or may get it, into one cluster. Analysis only; see waking.glsl.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "collapse/tile_clusters.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 tile = invocation();
    if (any(greaterThanEqual(tile * TILE, frame_size(size))) || all_rest(TESTED_IN) || !in_cluster(tile))
        return;
    merge_with_neighbours(tile);
}
