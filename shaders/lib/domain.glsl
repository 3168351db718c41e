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

// A mask: -1 if a row, or a column, is in the world, 0 if it lies beyond.
int row_inside(int y) { return y >= 0 && y < frame_size(size).y ? -1 : 0; }
int column_inside(int x) { return x >= 0 && x < frame_size(size).x ? -1 : 0; }

// A mask: -1 if the world computes cells of a row of its frame, or of a column; 0 if all of them belong to its halo.
// Only own cells are counted.
int own_mask(int row) { return !HAS_HALO || (row >= domain_own.x && row < domain_own.y) ? -1 : 0; }
int own_column_mask(int x) { return !HALO_ACROSS || (x >= domain_own_columns.x && x < domain_own_columns.y) ? -1 : 0; }
bool is_own(ivec2 at) { return (own_mask(at.y) & own_column_mask(at.x)) != 0; }

// Test if a place lies beyond a part of a world. There its column or row goes on in another part, also on a torus.
bool is_beyond(ivec2 at) { return HAS_HALO && row_inside(at.y) == 0 || HALO_ACROSS && column_inside(at.x) == 0; }

// The first row that the world computes, and the first cell.
int first_own_row() { return HAS_HALO ? domain_own.x : 0; }
ivec2 first_own_cell() { return ivec2(HALO_ACROSS ? domain_own_columns.x : 0, first_own_row()); }

// A place counted from the cells that the world computes; on a torus it can be some turns away from them.
ivec2 own_place(ivec2 at)
{
    ivec2 first = first_own_cell(), from = at - first, whole = whole_frame();
    return first +
        ivec2(TURNS_ACROSS ? wrapped(from.x, whole.x) : from.x, TURNS_ALONG ? wrapped(from.y, whole.y) : from.y);
}

// The most copies of an own place that can be among own cells and near them, and one of them by its number: on a torus
// others are a turn before, along either axis or both.
int copies_of_place() { return (TURNS_ACROSS ? 2 : 1) * (TURNS_ALONG ? 2 : 1); }
ivec2 copy_of_place(ivec2 at, int number)
{
    ivec2 turns = TURNS_ACROSS ? ivec2(number & 1, number >> 1) : ivec2(0, number);
    return at - turns * whole_frame();
}

// Test if a place is among the cells that the world computes, or at most so many columns and rows from them.
bool is_near_own(ivec2 at, ivec2 around)
{
    ivec2 first = first_own_cell() - around, frame = frame_size(size),
          end = ivec2(HALO_ACROSS ? domain_own_columns.y : frame.x, HAS_HALO ? domain_own.y : frame.y) + around;
    return all(greaterThanEqual(at, max(first, 0))) && all(lessThan(at, min(end, frame)));
}

// A mask of the cells of a strip that the world computes, one bit for each of the 32 cells of a column from a place on.
uint own_bits(ivec2 first)
{
    if (!HAS_HALO)
        return 0xFFFFFFFFu;
    int before = clamp(domain_own.x - first.y, 0, 32), up_to = clamp(domain_own.y - first.y, 0, 32);
    uint rows = (before < 32 ? 0xFFFFFFFFu << before : 0u) & (up_to > 0 ? 0xFFFFFFFFu >> (32 - up_to) : 0u);
    return rows & uint(own_column_mask(first.x));
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
