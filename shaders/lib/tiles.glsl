// Tiles of cells that sleep while nothing in them can change. Twin on the host: gpu/tiles.py, which has the layout of
// the buffer. A tile flag is a word a tile: the last tick in which a pass set the flag, or a mask of the tile's rows. A
// tile that is activated without need costs time and changes nothing, so margins may be wide; a tile may sleep only if
// nothing in it can change.
#include "generated/tiles.glsl"
#include "generated/tick.glsl"
#include "lib/edges.glsl"
#include "lib/frame.glsl"

#ifndef TILED
// In this world no tile of the rule sleeps.
void note_latest(uint value) { }
void note_cell(int layer, ivec2 cell, ivec2 cells, uint value) { }
void note_row(int layer, ivec2 cell, ivec2 cells) { }
#else
const int LISTED_ACROSS = 32768; // entries along x of an indirect dispatch; the rest goes along y

uniform ivec2 tile_grid;      // tiles across and along gravity's frame
uniform bool all_awake;       // no tile sleeps
uniform int list_description; // the place of its four words: groups along x, y and z, and number of entries
uniform ivec2 list_band;      // only groups whose number modulo y is x run

int words_in_masks()
{
    ivec2 words = (tile_grid + 31) >> 5;
    return max(tile_grid.x * words.y, tile_grid.y * words.x);
}

int tiles_in_grid() { return tile_grid.x * tile_grid.y; }

#ifdef BATCHED
uniform int tile_section; // words of the tiles of each world of a batch
uniform int first_entry;  // the word with the first entry of the list, which all worlds share
uniform int entry_bits;   // of an entry, below the number of its world

int own_tiles() { return batch_world * tile_section; }
int place_of_list() { return first_entry; }
int place_of_flags() { return own_tiles() + HEAD + words_in_masks(); }

// An entry of the list for this world.
uint entry_word(int entry) { return uint(batch_world) << entry_bits | uint(entry); }

// The entry in a word of the list; from now on the invocation works on the world of the entry.
int entry_from(uint word)
{
    enter_world(int(word >> entry_bits));
    return int(word & ((1u << entry_bits) - 1u));
}
#else
int own_tiles() { return 0; }
int place_of_list() { return HEAD + words_in_masks(); }
int place_of_flags() { return place_of_list() + tiles_in_grid() * ROW_PAIRS; }
uint entry_word(int entry) { return uint(entry); }
int entry_from(uint word) { return int(word); }
#endif

// The tile that holds the tile flags of a tile. On a torus the last tile shares those of the first, which is next to
// it: it may be so narrow that the notes on both sides of a place in it would miss it.
ivec2 flagged(ivec2 tile)
{
    ivec2 whole = tile_grid - 1;
    return EDGES == EDGES_WRAP ? ivec2(tile.x < whole.x ? tile.x : 0, tile.y < whole.y ? tile.y : 0) : tile;
}

int place_of_tile_flag(int layer, ivec2 tile)
{
    ivec2 at = flagged(tile);
    return place_of_flags() + tiles_in_grid() * layer + at.y * tile_grid.x + at.x;
}

uint tile_flag(int layer, ivec2 tile) { return tiles[place_of_tile_flag(layer, tile)]; }
void set_tile_flag(int layer, ivec2 tile, uint value) { tiles[place_of_tile_flag(layer, tile)] = value; }

uint latest() { return tiles[own_tiles() + LATEST]; }

// Test if no tile has a note from this tick or the last `ticks`.
bool all_rest(int ticks) { return tick - latest() > uint(ticks); }

// The number of a tile; tiles that share their tile flags have the same number.
uint number_of(ivec2 tile)
{
    ivec2 at = flagged(tile);
    return uint(at.y * tile_grid.x + at.x);
}

ivec2 tile_of(uint number) { return ivec2(int(number) % tile_grid.x, int(number) / tile_grid.x); }

// Test if a tile flag was set in this tick or in the last `ticks`.
bool is_since(int layer, ivec2 tile, uint now, uint ticks) { return now - tile_flag(layer, tile) <= ticks; }

// The number, along one axis, of the tile that holds a cell; the cell may lie a few cells outside the world.
int tile_with(int cell, int cells, int tiles_along, int tile)
{
    return EDGES == EDGES_WRAP ? wrapped(cell, cells) / tile : clamp(cell / tile, 0, tiles_along - 1);
}

ivec2 tile_with(ivec2 cell, ivec2 cells)
{
    return ivec2(tile_with(cell.x, cells.x, tile_grid.x, TILE.x), tile_with(cell.y, cells.y, tile_grid.y, TILE.y));
}

// The tile at an offset from another. On a torus tiles close around: the last tile of an axis, which is not whole,
// shares the tile flags of the first and counts as the first. Elsewhere no tile lies beyond the last.
ivec2 tile_beside(ivec2 tile, ivec2 offset)
{
    ivec2 next = tile + offset, ring = max(tile_grid - 1, 1);
    if (EDGES == EDGES_WRAP)
        return ivec2(wrapped(next.x, ring.x), wrapped(next.y, ring.y));
    return clamp(next, ivec2(0), tile_grid - 1);
}

// Note the tick of the latest note in any tile.
void note_latest(uint value)
{
    int place = own_tiles() + LATEST;
    if (tiles[place] != value) // a read is cheaper than a write
        tiles[place] = value;
}

// Set a tile flag of the tile that holds a cell.
void note_cell(int layer, ivec2 cell, ivec2 cells, uint value) { set_tile_flag(layer, tile_with(cell, cells), value); }

// Set a tile flag to this tick. Where many invocations do so the flag is set already; a read is cheaper than a write.
void note_tile(int layer, ivec2 tile)
{
    int place = place_of_tile_flag(layer, tile);
    if (tiles[place] != tick) {
        tiles[place] = tick;
        note_latest(tick);
    }
}

// Add the row of a cell to a tile flag that is a mask of rows, of the tile that holds the cell.
void note_row(int layer, ivec2 cell, ivec2 cells)
{
    atomicOr(tiles[place_of_tile_flag(layer, tile_with(cell, cells))], 1u << cell.y % TILE.y);
}

#ifdef IN_PART
// Test if a tile of a part of a world is not near the borders of the part.
bool is_inner(ivec2 tile)
{
    ivec2 first = ivec2(tiles[INNER], tiles[INNER + 1]), end = ivec2(tiles[INNER + 2], tiles[INNER + 3]);
    return all(greaterThanEqual(tile, first)) && all(lessThan(tile, end));
}

// Test if this run of the pass is for a tile; see `Tiles.take_turn`. Passes over lines of tiles have no such runs.
bool is_in_turn(ivec2 tile)
{
    return tiles[WHOSE_TURN] == ALL_TILES || (tiles[WHOSE_TURN] == INNER_TILES) == is_inner(tile);
}
#else
bool is_in_turn(ivec2 tile) { return true; }
#endif

// Note that a pass visits a tile.
void note_visit(ivec2 tile)
{
#ifdef IN_PART
    if (tiles[VISITED] == 0u) // a read is cheaper than a write
        tiles[VISITED] = 1u;
    if (tiles[VISITED + 1] == 0u && !is_inner(tile))
        tiles[VISITED + 1] = 1u;
#endif
}

// Note that a pass visits rows of a tile. Where such a pass works from the right its tiles are counted from there.
void note_visit_of_rows(ivec2 tile)
{
    note_visit(tile);
    note_visit(ivec2(tile_grid.x - 1 - tile.x, tile.y));
}

// Note that a pass visits a line of tiles, ``across`` gravity or along it. It may change cells anywhere in the line, so
// both ends count.
void note_visit_of_line(int line, bool across)
{
    note_visit(across ? ivec2(0, line) : ivec2(line, 0));
    note_visit(across ? ivec2(tile_grid.x - 1, line) : ivec2(line, tile_grid.y - 1));
}

// Append a line of tiles, a tile, or a pair of rows of a tile, to the list. The set of entries does not depend on the
// order of work.
void list(int entry)
{
    uint number = atomicAdd(tiles[list_description + 3], 1u);
    tiles[place_of_list() + int(number)] = entry_word(entry);
    uint called = number / uint(LISTED_AT_ONCE * list_band.y); // one group of list_band.y runs in each band
    atomicMax(tiles[list_description], min(called + 1u, uint(LISTED_ACROSS)));
    atomicMax(tiles[list_description + 1], called / uint(LISTED_ACROSS) + 1u);
    tiles[list_description + 2] = uint(GROUPS_OF_ENTRY);
}

#ifdef TESTS_TILES
// See lib/tested.glsl.
int group_of_entry();
int listed(int entry);
int listed();
uint mask_word(int line, int words, int tile);
#else
// The number of this group among the GROUPS_OF_ENTRY groups that work on an entry of the list.
int group_of_entry() { return GROUPS_OF_ENTRY > 1 ? int(gl_WorkGroupID.z) : 0; }

// An entry of the list that this group works on, of LISTED_AT_ONCE; -1 past the end.
int listed(int entry)
{
    uint group = gl_WorkGroupID.y * uint(LISTED_ACROSS) + gl_WorkGroupID.x;
    uint number = (group * uint(list_band.y) + uint(list_band.x)) * uint(LISTED_AT_ONCE) + uint(entry);
    return number < tiles[list_description + 3] ? entry_from(tiles[place_of_list() + int(number)]) : -1;
}

int listed() { return listed(0); }

// The word of a line's mask that holds a tile's bit.
uint mask_word(int line, int words, int tile) { return tiles[own_tiles() + HEAD + line * words + (tile >> 5)]; }
#endif

// The last awake tile of a line up to tile `from`; -1 if there is none.
int awake_up_to(int line, int words, int from)
{
    uint mask = from < 0 ? 0u : mask_word(line, words, from) & (0xFFFFFFFFu >> (31 - (from & 31)));
    while (mask == 0u && from > 31) {
        from = (from | 31) - 32;
        mask = mask_word(line, words, from);
    }
    return mask == 0u ? -1 : (from & ~31) + findMSB(mask);
}

// The first awake tile of a line from tile `from` on; -1 if there is none.
int awake_from(int line, int words, int count, int from)
{
    uint mask = from >= count ? 0u : mask_word(line, words, from) & (0xFFFFFFFFu << (from & 31));
    while (mask == 0u && (from | 31) + 1 < count) {
        from = (from | 31) + 1;
        mask = mask_word(line, words, from);
    }
    return mask == 0u ? -1 : (from & ~31) + findLSB(mask);
}
#endif
