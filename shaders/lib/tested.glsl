// Instead of a list of tiles: this group works on the tile of its own place, and tests whether the tile is awake. While
// it does so other groups of the pass may note changes, so a tile can seem awake that was not when the pass began; that
// costs time and changes nothing. Where GROUPS_OF_ENTRY groups work on a tile, or a line of tiles, each of them tests.
#include "generated/world.glsl"
#include "lib/tiles.glsl"
#include "generated/activate.glsl"

ivec2 group_here() { return invocation() / ivec2(GROUP_X, GROUP_Y); }
int group_of_entry() { return group_here().y % GROUPS_OF_ENTRY; }
ivec2 tile_here() { return group_here() / ivec2(1, GROUPS_OF_ENTRY); }
int number_here() { return tile_here().y * tile_grid.x + tile_here().x; }
int lane_here() { return int(gl_LocalInvocationIndex); }

#ifdef LISTED_LINES
shared uint awake_tiles[TESTED_WORDS]; // of this group's line, one bit each
shared uint any_awake;

uint mask_word(int line, int words, int tile) { return awake_tiles[tile >> 5]; }

void note_awake(ivec2 tile, int along)
{
    if (ACTIVATED(tile) || all_awake) {
        atomicOr(awake_tiles[along >> 5], 1u << (along & 31));
        any_awake = 1u;
        note_visit_of_line(LINES_ACROSS ? tile.y : tile.x, LINES_ACROSS);
    }
}

// The line of tiles of this group, -1 if none of them is awake.
int listed()
{
    int line = LINES_ACROSS ? tile_here().y : tile_here().x;
    ivec2 with_cells = (frame_size(size) + TILE - 1) / TILE;
    for (int word = lane_here(); word < TESTED_WORDS; word += GROUP_X * GROUP_Y)
        awake_tiles[word] = 0u;
    any_awake = 0u;
    barrier();
    for (int i = lane_here(); i < (LINES_ACROSS ? with_cells.x : with_cells.y); i += GROUP_X * GROUP_Y)
        note_awake(LINES_ACROSS ? ivec2(i, line) : ivec2(line, i), i);
    barrier();
    return any_awake != 0u ? line : -1;
}
#else
int place_of_test() { return place_of_list() + batch_world * tiles_in_grid() + number_here(); }

#ifdef TESTED_BEFORE
uint found_awake() { return tiles[place_of_test()]; }
#else
shared uint awake_found;

// Test this group's tile. Returns a bit for each pair of rows that the pass must visit, or 1 for a whole tile. Each
// group tests once, because the test may set flags, by one invocation; of pairs of rows each invocation tests a part.
// The first group of the tile stores the result for later passes, which visit the cells that this pass has found.
uint found_awake()
{
#ifdef LISTED_ROWS
    if (lane_here() == 0)
        awake_found = all_awake ? (1u << ROW_PAIRS) - 1u : 0u;
    barrier();
    uint part = ACTIVATED(tile_here());
    if (part != 0u)
        atomicOr(awake_found, part);
#else
    if (lane_here() == 0)
        awake_found = is_in_turn(tile_here()) && (ACTIVATED(tile_here()) || all_awake) ? 1u : 0u;
#endif
    memoryBarrierBuffer();
    barrier();
    if (lane_here() == 0) {
        if (group_of_entry() == 0)
            tiles[place_of_test()] = awake_found;
#ifdef LISTED_ROWS
        if (awake_found != 0u)
            note_visit_of_rows(tile_here());
#else
        if (awake_found != 0u)
            note_visit(tile_here());
#endif
    }
    return awake_found;
}
#endif

#ifdef LISTED_ROWS
// A pair of rows of this group's tile, by its number in the tile; -1 if it is not visited.
int listed(int pair) { return (found_awake() >> pair & 1u) != 0u ? number_here() * ROW_PAIRS + pair : -1; }
#else
// The tile of this group, by its number; -1 if it is not awake.
int listed() { return found_awake() != 0u ? number_here() : -1; }
#endif
#endif
