// Notes of changed cells in the tiles of another rule, `Pass.also_wakes`. Places are those of the frame of these tiles.
// Empty functions if no tile of that rule can sleep.
#include "generated/other_tiles.glsl"
#include "generated/tick.glsl"
#include "lib/edges.glsl"

#ifdef NOTES_OTHERS
uniform ivec2 other_grid; // tiles across and along the frame
uniform int other_flags;  // the word with the first flag of the first tile

#ifdef BATCHED
uniform int other_section; // words of each world of a batch
int own_other_tiles() { return batch_world * other_section; }
#else
int own_other_tiles() { return 0; }
#endif

// The number, along one axis, of the tile whose flags serve a place; the place may lie a few cells outside the world.
// As `flagged` and `tile_with` of tiles.glsl: on a torus the last tile shares the flags of the first.
int other_tile(int place, int cells, int tile, int tiles)
{
    if (EDGES != EDGES_WRAP)
        return clamp(place / tile, 0, tiles - 1);
    int number = wrapped(place, cells) / tile;
    return number < tiles - 1 ? number : 0;
}

void note_other_place(ivec2 at, ivec2 cells)
{
    int x = other_tile(at.x, cells.x, OTHER_TILE.x, other_grid.x);
    int y = other_tile(at.y, cells.y, OTHER_TILE.y, other_grid.y);
    other_tiles[own_other_tiles() + other_flags + y * other_grid.x + x] = tick;
}

// Note a change in a rectangle of places, from the first to the last, in all tiles that it meets.
void note_others(ivec2 first, ivec2 last, ivec2 cells)
{
    other_tiles[own_other_tiles() + OTHER_LATEST] = tick;
    for (int y = first.y; y < last.y + OTHER_TILE.y; y += OTHER_TILE.y)
        for (int x = first.x; x < last.x + OTHER_TILE.x; x += OTHER_TILE.x)
            note_other_place(min(ivec2(x, y), last), cells);
}

// Note a change in the tile of a number. A read is cheaper than a write.
void note_other_tile(uint number)
{
    int place = own_other_tiles() + other_flags + int(number);
    if (other_tiles[place] != tick) {
        other_tiles[place] = tick;
        other_tiles[own_other_tiles() + OTHER_LATEST] = tick;
    }
}
#else
void note_others(ivec2 first, ivec2 last, ivec2 cells) { }
void note_other_tile(uint number) { }
#endif
