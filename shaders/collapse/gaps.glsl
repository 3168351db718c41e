// How far a move takes a row of a piece relative to the fluid beside it. In a narrow gap fluid rises by several rows as
// the piece falls by one. Twin: oracle/displacing.py.
#include "collapse/rising.glsl"
#include "collapse/roles.glsl"
#include "lib/domain.glsl"

// The cells of loose solid from a place on, in a direction; at most so many.
int loose_cells(ivec2 at, ivec2 step, int most)
{
    int cells = 0;
    while (cells < most && role_around(at + step * cells) == LOOSE)
        cells++;
    return cells;
}

bool is_fluid_around(ivec2 at)
{
    int role = role_around(at);
    return role == YIELDS || role == SLOWS;
}

// The cells of a gap that are seen: beside amounts, whose surface is as high as they fill its cells, only the nearest.
#ifdef BESIDE_ATOMS
const int SEEN_CELLS = 1;
#else
const int SEEN_CELLS = 2 * WIDE_CELLS;
#endif

// The fluid beside a row of a piece.
struct Gaps {
    int halves;  // half rows from the row to where it is in the middle of a move by a row, relative to the fluid beside
                 // it
    ivec2 cells; // of what is seen of the gaps to the left and to the right
};

// The cells of a gap beside a row, from a place on, to a side, at most so many: fluid that has fluid ahead, too.
int gap_cells(ivec2 at, ivec2 ahead, int side, int most)
{
    int cells = 0;
    while (cells < most && is_fluid_around(at + ivec2(side * cells, 0)) &&
           is_fluid_around(at + ahead + ivec2(side * cells, 0)))
        cells++;
    return cells;
}

// The gaps beside a row of a piece, of which `at` is a cell. A move takes the row half a row to its middle; for a fall
// another half is added, so that the piece does not rise again. If the gaps together are narrower than twice the row,
// their fluid rises or falls by more than half a row, which is added, too; but the place next to the piece in the
// middle column is as far as it goes. Half of a gap up to another piece counts.
Gaps gaps_beside(ivec2 at)
{
    bool rises = is_time_to_rise(at);
    ivec2 ahead = ivec2(0, rises ? -1 : 1);
    int before = loose_cells(at, ivec2(-1, 0), WIDE_CELLS);
    int cells = before + loose_cells(at + ivec2(1, 0), ivec2(1, 0), WIDE_CELLS);
    bool is_wide = cells >= WIDE_CELLS || cells >= row_columns();
    int most = is_wide ? WIDE_CELLS : 2 * max(cells, NEAR_CELLS);
    ivec2 first = at - ivec2(before - 1, 0), end = first + ivec2(cells, 0);
    ivec2 gaps = ivec2(gap_cells(first - ivec2(1, 0), ahead, -1, most), gap_cells(end, ahead, 1, most));
    Gaps found = Gaps(rises ? 1 : 2, min(gaps, SEEN_CELLS));
    int left = role_around(first - ivec2(1 + gaps.x, 0)) == LOOSE ? gaps.x : 2 * gaps.x;
    int beside = left + (role_around(end + ivec2(gaps.y, 0)) == LOOSE ? gaps.y : 2 * gaps.y);
    if (is_wide || beside >= 4 * cells || beside == 0)
        return found;
    int halves = 2 + (4 * cells + beside - 1) / beside;
    ivec2 middle = first + ivec2(cells - 1 >> 1, 0), other = middle + ivec2(1 - (cells & 1), 0);
    int rows = max(loose_cells(middle, ahead, AHEAD_MOST), loose_cells(other, ahead, AHEAD_MOST));
    found.halves = min(rises ? halves >> 1 : halves + 1 >> 1, 2 * rows);
    return found;
}
