// The tiles through which a line of cells runs, from its front to its back.
#include "lib/tiles.glsl"

bool is_reversed(); // true if the index decreases as the frame's coordinate grows

int tiles_along() { return ACROSS ? tile_grid.x : tile_grid.y; }
int words_along() { return (tiles_along() + 31) >> 5; }

// The first index of a tile in its line, and the one after its last.
ivec2 range_of(int tile)
{
    ivec2 range = min(ivec2(tile, tile + 1) * (ACROSS ? TILE.x : TILE.y), line_length());
    return is_reversed() ? line_length() - range.yx : range;
}

// The next activated tile behind a tile; -1 after the last.
int awake_behind(int lines, int tile)
{
    return is_reversed() ? awake_from(lines, words_along(), tiles_along(), tile + 1)
                         : awake_up_to(lines, words_along(), tile - 1);
}

int tile_behind(int tile) { return is_reversed() ? tile + 1 : tile - 1; }

// The tile of a line with the foremost cell.
int front_tile() { return is_reversed() ? 0 : (line_length() - 1) / (ACROSS ? TILE.x : TILE.y); }

// Test if the atom before `index` is no longer supported, and so starts to move.
bool is_freed(int line, int index, Ahead ahead)
{
    bool hard = ahead.hard == HARD_ATOM || ahead.hard == HARD_SOLID || ahead.hard == HARD_AMOUNT;
    bool held = ahead.free == 0 && hard;
    return index > 0 && !held && step_at(line, index - 1).kind == STEP_MOVER;
}
