// Liquid that lies on a floating piece, and the cell beside the piece to which it runs off. Twin: oracle/spills.py.
#include "atoms/cells.glsl"
#include "collapse/roles.glsl"
#include "lib/domain.glsl"

// Words of scratch `spills`. Of a cell with liquid that runs off: the rows from bit 16 on and the columns from bit 1 on
// to the cell that it enters, and in bit 0 the side. Of a cell that it enters: the greatest claim.
const uint RUNS_OFF = 1u << 30, CLAIM = 1u << 31;

// The side that goes first where both are alike: the lowest bit of a word.
uint first_side(ivec2 at) { return world_tick(at) >> 1 & 1u; }

// The claim of a word: the greater, the fewer rows the liquid falls, then the fewer columns it moves.
uint claim_of(uint word, ivec2 at) { return CLAIM | (word ^ (RUNS_OFF - 1u) ^ first_side(at)); }

// The cell that liquid at a place enters.
ivec2 place_of_spill(uint word, ivec2 at)
{
    int rows = int(word >> 16 & 0xFFu), columns = int(word >> 1 & 0xFFu), side = (word & 1u) != 0u ? 1 : -1;
    return inside_world(at + ivec2(side * columns, rows), frame_size(size));
}

bool lets_pass(ivec2 at)
{
    int role = role_around(at);
    return role == YIELDS || role == SLOWS;
}

// The rows from a place down to the cell above the nearest liquid, if all cells between are empty or gas; 0: there is
// no liquid, or it is no lower than the place.
int rows_to_liquid(ivec2 at)
{
    int rows = 0;
    while (rows <= SPILL_ROWS && role_around(at + ivec2(0, rows)) == YIELDS)
        rows++;
    return rows > 0 && rows <= SPILL_ROWS && role_around(at + ivec2(0, rows)) == SLOWS ? rows - 1 : 0;
}

// Test if a run of loose solid, from a place on down, ends at a liquid.
bool floats(ivec2 at)
{
    int rows = 0;
    while (rows < FLOAT_ROWS && role_around(at + ivec2(0, rows)) == LOOSE)
        rows++;
    return rows > 0 && role_around(at + ivec2(0, rows)) == SLOWS;
}

// Test if an atom of a liquid is at a place, and does not fall.
bool is_at_rest(ivec2 at)
{
    Atom atom = atom_at(at);
    return !is_amount(atom.material) && atom.velocity.y == 0;
}

// The columns from a place to the nearest one, on a side, in which liquid lies lower, of at most so many; one more than
// these if there is none, or if something is in the way.
int columns_to_shore(ivec2 at, int side, int most)
{
    int columns = 1;
    ivec2 next = at + ivec2(side, 0);
    while (columns <= most && lets_pass(next) && rows_to_liquid(next) == 0) {
        columns++;
        next.x += side;
    }
    return columns <= most && lets_pass(next) ? columns : most + 1;
}

// The word of scratch `spills` for liquid at a place. The row of liquid on a piece is mirrored at its shore, so that
// each cell of liquid enters a column of its own.
uint spill_from(ivec2 at)
{
    int most = min(SPILL_COLUMNS, row_columns());
    ivec2 shores = ivec2(columns_to_shore(at, -1, most), columns_to_shore(at, 1, most));
    uint side = shores.x == shores.y ? first_side(at) : shores.y < shores.x ? 1u : 0u;
    int shore = min(shores.x, shores.y), columns = shore + 1, last = 2 * shore - 1, to = side != 0u ? 1 : -1;
    if (shore > most)
        return 0u;
    while (columns <= last && lets_pass(at + ivec2(to * columns, 0)))
        columns++;
    int rows = columns > last ? rows_to_liquid(at + ivec2(to * last, 0)) : 0;
    columns = rows > 0 ? last : shore;
    rows = rows_to_liquid(at + ivec2(to * columns, 0));
    return RUNS_OFF | uint(rows) << 16 | uint(columns) << 1 | side;
}
