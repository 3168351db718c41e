// Tile flags that rule collapse sets, in the tiles of rule atoms; activate.glsl reads them. A cluster is a connected
// set of tiles that hold loose solid, and of tiles into which it may move in this tick; so every piece lies in one
// cluster. A cluster sleeps when unchanged, whatever the others do.
#include "generated/waking.glsl"

// The number of ticks in which every move is tested: falls in one tick, rises in the next.
const int TESTED_IN = 2;

// The cluster of a tile when clusters were last found; a tile that was never visited is its own cluster.
uint cluster_of(ivec2 tile)
{
    uint cluster = tile_flag(CLUSTER, tile);
    return cluster < uint(tiles_in_grid()) ? cluster : number_of(tile);
}

bool has_loose_solid(ivec2 tile) { return tile_flag(LOOSE_SOLID, tile) == 1u; }

// Test if a tile belongs to a cluster: it holds loose solid, or loose solid may fall from the tile above, or rise from
// the tile below.
bool in_cluster(ivec2 tile)
{
    return has_loose_solid(tile) || has_loose_solid(tile_beside(tile, ivec2(0, -1))) ||
        has_loose_solid(tile_beside(tile, ivec2(0, 1)));
}
