#version 430
// Give each tile the number of its cluster, and activate the cluster if the tile has changed. Analysis only; see
// waking.glsl.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "collapse/tile_clusters.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 tile = invocation();
    if (any(greaterThanEqual(tile * TILE, frame_size(size))) || all_rest(TESTED_IN) || !in_cluster(tile))
        return;
    uint cluster = root_of(number_of(tile));
    set_tile_flag(CLUSTER, tile, cluster);
    if (has_changed(tile, uint(TESTED_IN)))
        set_tile_flag(EXAMINED, tile_of(cluster), tick);
}
