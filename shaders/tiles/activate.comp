#version 430
// List the tiles that a pass must visit, their lines, or pairs of their rows; the pass is dispatched over the list, so
// that other tiles cost nothing. <rule>/activate.glsl decides which tiles these are.
#include "generated/activate.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// The tiles that have units of the pass. Only blocks, and segments along rows, can begin before the first cell. Other
// units have no cells in a tile beyond the last cell, and in small worlds more than half of the tiles are such tiles.
ivec2 grid_with_units()
{
    ivec2 cells = (frame_size(size) + TILE - 1) / TILE;
#if defined(LISTED_BLOCKS)
    return tile_grid;
#elif defined(LISTED_ROWS)
    return ivec2(tile_grid.x, cells.y);
#else
    return cells;
#endif
}

#ifndef LISTED_ROWS
// Test if the pass must visit a tile. `ACTIVATED` is called if all are awake, too, because it may set tile flags.
bool must_visit(ivec2 tile) { return is_in_turn(tile) && (ACTIVATED(tile) || all_awake); }
#endif

#ifdef LISTED_LINES
// List a line of tiles, with a mask of its awake tiles. The mask has a bit for each of its `along` tiles, of which the
// first `with_units` have units.
void list_line(int line, int along, int with_units)
{
    bool any = false;
    for (int first = 0; first < along; first += 32) {
        uint mask = 0u;
        for (int i = first; i < min(first + 32, with_units); i++)
            mask |= must_visit(LINES_ACROSS ? ivec2(i, line) : ivec2(line, i)) ? 1u << (i - first) : 0u;
        tiles[own_tiles() + HEAD + line * ((along + 31) / 32) + first / 32] = mask;
        any = any || mask != 0u;
    }
    if (any) {
        note_visit_of_line(line, LINES_ACROSS);
        list(line);
    }
}
#else
// List a tile if the pass must visit it, or those of its pairs of rows that it must visit.
void list_tile(ivec2 tile)
{
    int number = tile.y * tile_grid.x + tile.x;
#ifdef LISTED_ROWS
    // `ACTIVATED` returns a mask of pairs of rows, one bit for each.
    uint pairs = all_awake ? (1u << ROW_PAIRS) - 1u : ACTIVATED(tile);
    if (pairs != 0u)
        note_visit_of_rows(tile);
    for (; pairs != 0u; pairs &= pairs - 1u)
        list(number * ROW_PAIRS + findLSB(pairs));
#else
    if (must_visit(tile)) {
        note_visit(tile);
        list(number);
    }
#endif
}
#endif

// If nothing was noted recently all loops are empty: on software OpenGL that costs less than a branch.
void main()
{
    bool some = all_awake || tick - latest() <= uint(LONGEST_AWAKE);
    ivec2 grid = grid_with_units();
#ifdef LISTED_LINES
    ivec2 sides = LINES_ACROSS ? grid.yx : grid;
    if (invocation().x < sides.x && invocation().y == 0)
        list_line(invocation().x, some ? (LINES_ACROSS ? tile_grid.x : tile_grid.y) : 0, sides.y);
#else
#ifdef BATCHED
    ivec2 rows = ivec2(0, invocation().y == 0 ? grid.y : 0); // the worlds of a batch are small
#else
    ivec2 rows = ivec2(invocation().y, min(invocation().y + 1, grid.y));
#endif
    int first = invocation().x * RUN, end = min(first + RUN, grid.x);
    for (int y = rows.x; y < (some ? rows.y : 0); y++)
        for (int x = first; x < end; x++)
            list_tile(ivec2(x, y));
#endif
}
