// Union-find among tiles, in their tile_flags; as linking.glsl has it among cells.
#include "generated/pressure.glsl"
#include "pressure/waking.glsl"

uint link_of(uint tile) { return tile_flag(COMPONENT, tile_of(tile)); }

uint end_of_links(uint tile)
{
    uint next = link_of(tile);
    while (next != tile) {
        tile = next;
        next = link_of(tile);
    }
    return tile;
}

void unite(uint one, uint other)
{
    one = end_of_links(one);
    other = end_of_links(other);
    while (one != other) {
        uint first = min(one, other), second = max(one, other);
        uint before = atomicMin(tiles[place_of_tile_flag(COMPONENT, tile_of(second))], first);
        one = first;
        other = before == second ? first : end_of_links(before);
    }
}

// Whether there is nothing to be done for long. Any tile would say so.
bool all_rest() { return tick - latest() > 1u; }
