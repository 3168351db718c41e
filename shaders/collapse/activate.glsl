// Tiles that rule collapse must visit: the tiles of clusters in which a tile has changed. A piece that falls changes
// its tiles, so it is visited again in the next tick.
#include "generated/collapse.glsl"
#include "generated/tick.glsl"
#include "collapse/waking.glsl"

const int LONGEST_AWAKE = TESTED_IN; // ticks after the last note

// Tiles that have changed are searched for loose solid again. Every tile begins as a cluster of its own.
bool activate_find_loose_tiles(ivec2 tile)
{
    set_tile_flag(CLUSTER, tile, number_of(tile));
    bool awake = has_changed(tile, uint(TESTED_IN));
    if (awake)
        set_tile_flag(LOOSE_SOLID, tile, 0u);
    return awake;
}

bool activate_label(ivec2 tile) { return in_cluster(tile) && tile_flag(EXAMINED, tile_of(cluster_of(tile))) == tick; }

// Liquid on a piece may run off if something has changed anywhere between it and the cell that it would enter, or in
// the piece below it. A piece that has moved in this tick may have entered the next tile.
bool activate_find_spills(ivec2 tile)
{
    if (all_rest(TESTED_IN) || !in_cluster(tile))
        return false;
    const int ACROSS = (2 * SPILL_COLUMNS + TILE.x - 1) / TILE.x, DOWN = (FLOAT_ROWS + TILE.y) / TILE.y;
    bool found = false;
    for (int i = 0; i < (2 * ACROSS + 1) * (DOWN + 2) && !found; i++) {
        ivec2 offset = ivec2(i % (2 * ACROSS + 1) - ACROSS, i / (2 * ACROSS + 1) - 1);
        found = has_changed(tile_beside(tile, offset), uint(TESTED_IN));
    }
    return found;
}

// Test if the cluster of a tile may be visited in the next tick; for the overlay of tiles. Clusters are found anew in
// each tick, so this is known only of the tile's own changes.
bool is_awake(ivec2 tile) { return in_cluster(tile) && has_changed(tile, uint(TESTED_IN)); }
