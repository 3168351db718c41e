// Atoms that start to move, shared by free_falling and free_rising. An atom at rest in a sleeping tile starts to move
// if the atoms ahead of it make room. A run of atoms moves as a whole, and may reach through any number of sleeping
// tiles. The pass flags these tiles, and the pass that moves the atoms visits them. The including file defines the
// functions that have no body here and in line.glsl.
#include "atoms/line.glsl"
#include "atoms/lookahead.glsl"
#include "atoms/tiles_of_line.glsl"
#include "generated/listed.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void flag_tile(ivec2 tile);

bool is_awake(int lines, int tile) { return (mask_word(lines, words_along(), tile) >> (tile & 31) & 1u) == 1u; }

// Flag a tile whose foremost atom starts to move, and the sleeping tiles behind it as long as their foremost atoms
// start to move, too. An awake tile ends this, because find_freed looks behind each awake tile. `ahead` is the state
// ahead of the tile.
void flag_from(int line, int lines, int tile, Ahead ahead)
{
    bool more = true;
    while (more) {
        flag_tile(ivec2(lines, tile));
        ivec2 range = range_of(tile);
        ahead = seen_through(look(line, range.x, range.y, SCAN_NOTHING), ahead);
        tile = tile_behind(tile);
        more = is_freed(line, range.x, ahead) && !is_awake(lines, tile);
    }
}

void find_freed(int line, int lines)
{
    int front = front_tile();
    if (RING && !is_awake(lines, front)) {
        Ahead ahead = ahead_of_line(line);
        if (is_freed(line, line_length(), ahead))
            flag_from(line, lines, front, ahead);
    }
    int tile = awake_behind(lines, is_reversed() ? -1 : tiles_along());
    while (tile >= 0) {
        int last = range_of(tile).x, behind = tile_behind(tile);
        if (last > 0 && !is_awake(lines, behind) && step_at(line, last - 1).kind == STEP_MOVER) {
            Ahead ahead = ahead_of_strip(line, last);
            if (is_freed(line, last, ahead))
                flag_from(line, lines, behind, ahead);
        }
        tile = awake_behind(lines, tile);
    }
}

void main()
{
    int lines = listed();
    int line = lines * TILE.x + int(gl_LocalInvocationID.x);
    if (lines >= 0 && line < line_count())
        find_freed(line, lines);
}
