// Sets of tiles, by union-find: a node is a tile, by its number; its link is the tile flag LINK. The file that includes
// this one defines LINK, and `is_member`: whether a tile can be in a set.
#include "lib/union_find.glsl"

bool is_member(ivec2 tile);

uint link_of(uint tile) { return tile_flag(LINK, tile_of(tile)); }
uint lower_link(uint tile, uint link) { return atomicMin(tiles[place_of_tile_flag(LINK, tile_of(tile))], link); }

void merge_with(ivec2 tile, ivec2 offset)
{
    ivec2 next = tile_beside(tile, offset);
    if (is_member(next))
        merge(number_of(tile), number_of(next));
}

// Merge the sets of a member and of its neighbours to the left and above.
void merge_with_neighbours(ivec2 tile)
{
    merge_with(tile, ivec2(-1, 0));
    merge_with(tile, ivec2(0, -1));
}
