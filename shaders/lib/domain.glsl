// The position of a world in the whole world of which it may be a piece; the world's seed and tick. Only these
// functions read the uniforms, so that later several worlds can lie in one texture, each with its own values. `at` is
// any place of the world's frame. Twin: gpufluid/world/domain.py.
#include "generated/tick.glsl"
#include "lib/edges.glsl"
#include "lib/frame.glsl"

uint world_seed(ivec2 at) { return domain_seed; }
uint world_tick(ivec2 at) { return tick; } // modulo 2**32; for rules, not for tile flags

// True if a part of a torus has a halo there: after the last column, or row, of the whole world comes the first again.
const bool TURNS_ACROSS = HALO_ACROSS && EDGES == EDGES_WRAP, TURNS_ALONG = HAS_HALO && EDGES == EDGES_WRAP;

ivec2 whole_size() { return domain_whole_size; }
ivec2 whole_frame() { return frame_size(domain_whole_size); }
int whole_rows() { return whole_frame().y; }

// Convert a place of the world's frame to the frame of the whole world.
ivec2 whole_place(ivec2 at)
{
    ivec2 place = at + piece_in_frame(domain_origin, size, domain_whole_size), whole = whole_frame();
    return ivec2(TURNS_ACROSS ? wrapped(place.x, whole.x) : place.x, TURNS_ALONG ? wrapped(place.y, whole.y) : place.y);
}

// Convert the first cell of a 2x2 block in the same way. On a torus a block over the seam begins before the first row,
// or the first column.
ivec2 whole_block(ivec2 at)
{
    ivec2 place = whole_place(at), last = whole_frame() - 1;
    return ivec2(TURNS_ACROSS && place.x == last.x ? -1 : place.x, TURNS_ALONG && place.y == last.y ? -1 : place.y);
}

// The rows of a column that can differ: those of a piece, or of the whole world of a part with a halo; and the columns
// of a row.
int column_rows() { return HAS_HALO ? whole_rows() : frame_size(size).y; }
int row_columns() { return HALO_ACROSS ? whole_frame().x : frame_size(size).x; }

// A mask: -1 if a row is in the world, 0 if it lies beyond.
int row_inside(int y) { return y >= 0 && y < frame_size(size).y ? -1 : 0; }

// A mask: -1 if the world computes cells of a row of its frame, or of a column; 0 if all of them belong to its halo.
// Only own cells are counted.
int own_mask(int row) { return !HAS_HALO || (row >= domain_own.x && row < domain_own.y) ? -1 : 0; }
int own_column_mask(int x) { return !HALO_ACROSS || (x >= domain_own_columns.x && x < domain_own_columns.y) ? -1 : 0; }
bool is_own(ivec2 at) { return (own_mask(at.y) & own_column_mask(at.x)) != 0; }

// Test if a row lies beyond a part of a world. There the column goes on in another part, also on a torus.
bool is_beyond(ivec2 at) { return HAS_HALO && row_inside(at.y) == 0; }

// The first row that the world computes.
int first_own_row() { return HAS_HALO ? domain_own.x : 0; }

// A place counted from the rows that the world computes; on a torus it can be some turns away from them.
ivec2 own_place(ivec2 at)
{
    bool turns = HAS_HALO && EDGES == EDGES_WRAP;
    return turns ? ivec2(at.x, domain_own.x + wrapped(at.y - domain_own.x, whole_rows())) : at;
}

// The most copies of an own place that can be in own rows and near them: on a torus the second one is a turn before.
int copies_of_row() { return EDGES == EDGES_WRAP ? 2 : 1; }

// Test if a place is in the rows that the world computes, or so many rows from them.
bool is_near_own(ivec2 at, int rows)
{
    return row_inside(at.y) != 0 && at.y >= domain_own.x - rows && at.y < domain_own.y + rows;
}

// A mask of those of the 32 rows from a row on that the world computes, one bit for each.
uint own_bits(int first)
{
    if (!HAS_HALO)
        return 0xFFFFFFFFu;
    int before = clamp(domain_own.x - first, 0, 32), up_to = clamp(domain_own.y - first, 0, 32);
    return (before < 32 ? 0xFFFFFFFFu << before : 0u) & (up_to > 0 ? 0xFFFFFFFFu >> (32 - up_to) : 0u);
}

// Test if the world computes some row of its frame from one to another.
bool has_own_row(int first, int last) { return !HAS_HALO || (last >= domain_own.x && first < domain_own.y); }

// Test if the world computes some cell of the 2x2 block that begins at a place.
bool is_own_block(ivec2 at)
{
    return ((own_mask(at.y) | own_mask(at.y + 1)) & (own_column_mask(at.x) | own_column_mask(at.x + 1))) != 0;
}

// The number of columns of the whole frame before the world, from the left (side 1) or from the right (-1).
int columns_before(int side)
{
    int last = frame_size(size).x - 1;
    return side > 0 ? whole_place(ivec2(0)).x : whole_frame().x - 1 - whole_place(ivec2(last, 0)).x;
}
