// Bodies of elastic atoms, shared by touch, join and bounce. Twin: oracle/atoms/bouncing.py.
#include "generated/atoms.glsl"
#include "generated/strip.glsl"
#include "lib/domain.glsl"
#include "lib/edges.glsl"
#include "atoms/waking.glsl"

const int STRIP = max(STRIP_WIDTH, STRIP_HEIGHT); // rows of a column that one invocation owns

// touch and join store four words for each strip of a column, one for each direction along an axis of the frame: down,
// up, right, left. A word has one bit for each row: in `moving` it is set if an elastic atom moves in that direction,
// in `stopped` and `joined` if the atom is also stopped.
int direction_number(ivec2 direction)
{
    return direction.y != 0 ? (direction.y > 0 ? 0 : 1) : (direction.x > 0 ? 2 : 3);
}

// The line across a direction, and the line along it.
ivec2 line_across(int direction) { return direction < 2 ? ivec2(1, 0) : ivec2(0, 1); }
ivec2 line_along(int direction) { return direction < 2 ? ivec2(0, 1) : ivec2(1, 0); }

// The largest number of cells of a body that are searched along a line.
int body_cells(ivec2 line) { return min(BODY_MOST, line.x != 0 ? row_columns() : column_rows()); }

// Test if touch and join have run over a cell in this tick; elsewhere no elastic atom moves.
bool is_fresh(ivec2 cell) { return tile_flag(BODIES, tile_with(cell, frame_size(size))) == tick; }

bool has_row(uvec4 words, int direction, int row) { return (words[direction] >> row & 1u) != 0u; }
uint any_direction(uvec4 words) { return words.x | words.y | words.z | words.w; }
