// Clusters of tiles: those that hold loose solid, or may get it, and touch each other. Each links to its cluster by the
// tile flag CLUSTER.
#include "generated/collapse.glsl"
#include "collapse/waking.glsl"

const int LINK = CLUSTER;

#include "lib/tile_sets.glsl"

bool is_member(ivec2 tile) { return in_cluster(tile); }
