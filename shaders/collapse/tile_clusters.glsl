// Union-find among tiles: a node is a tile, by its number; its link is the tile flag CLUSTER.
#include "generated/collapse.glsl"
#include "lib/union_find.glsl"
#include "collapse/waking.glsl"

uint link_of(uint tile) { return tile_flag(CLUSTER, tile_of(tile)); }
uint lower_link(uint tile, uint link) { return atomicMin(tiles[place_of_tile_flag(CLUSTER, tile_of(tile))], link); }
