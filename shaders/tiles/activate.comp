#version 430
// List the tiles that a pass must visit, their lines, or pairs of their rows; the pass is dispatched over the list, so
// that other tiles cost nothing. <rule>/activate.glsl decides which tiles these are.
uniform bool all_awake;

#include "generated/activate.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

#ifndef LISTED_ROWS
#ifdef LISTED_BLOCKS
bool has_units(ivec2 tile) { return true; }
#else
// Only blocks can begin before the first cell. Other units have no cells in a tile beyond the last cell, and in small
// worlds more than half of the tiles are such tiles.
bool has_units(ivec2 tile) { return all(lessThan(tile * TILE, frame_size(size))); }
#endif

// Test if the pass must visit a tile. `ACTIVATED` is called for every tile, because it may set tile flags.
bool must_visit(ivec2 tile) { return (ACTIVATED(tile) || all_awake) && has_units(tile); }
#endif

#ifdef LISTED_LINES
// List a line of tiles, with a mask of its awake tiles.
void list_line(int line, int along)
{
    bool any = false;
    for (int first = 0; first < along; first += 32) {
        uint mask = 0u;
        for (int i = first; i < min(first + 32, along); i++)
            mask |= must_visit(LINES_ACROSS ? ivec2(i, line) : ivec2(line, i)) ? 1u << (i - first) : 0u;
        tiles[own_tiles() + HEAD + line * ((along + 31) / 32) + first / 32] = mask;
        any = any || mask != 0u;
    }
    if (any)
        list(line);
}
#endif

// If nothing was noted recently all loops are empty: on software OpenGL that costs less than a branch.
void main()
{
    bool some = all_awake || tick - latest() <= uint(LONGEST_AWAKE);
#ifdef LISTED_LINES
    ivec2 sides = LINES_ACROSS ? tile_grid.yx : tile_grid;
    if (invocation().x < sides.x && invocation().y == 0)
        list_line(invocation().x, some ? sides.y : 0);
#else
    int y = invocation().y, first = invocation().x * RUN;
    int end = some && y < tile_grid.y ? min(first + RUN, tile_grid.x) : 0;
    for (int x = first; x < end; x++) {
        int tile = y * tile_grid.x + x;
#ifdef LISTED_ROWS
        // `ACTIVATED` returns a mask of pairs of rows, one bit for each.
        uint pairs = all_awake ? (1u << ROW_PAIRS) - 1u : ACTIVATED(ivec2(x, y));
        for (; pairs != 0u; pairs &= pairs - 1u)
            list(tile * ROW_PAIRS + findLSB(pairs));
#else
        if (must_visit(ivec2(x, y)))
            list(tile);
#endif
    }
#endif
}
