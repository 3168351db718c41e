#version 430
// Find the pieces that are held: a cell of the piece is above, below or beside a cell of role HOLDS, or lies on a cell
// of role BEARS; in all steps of a tick but the first also on a cell of role SLOWS, a liquid. In a world with amounts
// (water by mass or a mixture), find separately what keeps a piece from falling and what keeps it from rising. Law: the
// result does not depend on the order of work. Twin: oracle.collapse.hold.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "collapse/roles.glsl"
#include "lib/domain.glsl"

uniform uint substep;

#include "collapse/strips.glsl"

void set_held(uint label, uint bits)
{
    ivec2 piece = place_of_label(label);
    if ((load_held(piece) & bits) != bits) // a read is cheaper than an atomic operation
        atomic_or_held(piece, bits);
}

#ifdef SEES_AMOUNTS
// The bits of `HELD` that the neighbours of a loose cell set for its piece. A piece does not rise while another lies
// two rows above it, because that one may fall into the cell between.
uint bits_at(ivec2 at, int bears)
{
    int above = role_around(at - ivec2(0, 1)), below = role_around(at + ivec2(0, 1));
    int left = role_around(at - ivec2(1, 0)), right = role_around(at + ivec2(1, 0));
    bool holds = above == HOLDS || below == HOLDS || left == HOLDS || right == HOLDS;
    bool wet = above == SLOWS || below == SLOWS || left == SLOWS || right == SLOWS;
    bool near = above != LOOSE && role_around(at - ivec2(0, 2)) == LOOSE;
    bool other = near && label_at(inside_world(at - ivec2(0, 2), frame_size(size))) != label_at(at);
    return (holds ? FIXED : 0u) | (below >= bears ? NO_FALL : 0u) | (above >= BEARS || other ? NO_RISE : 0u) |
        (wet ? WET : 0u);
}
#endif

// Test if a column of a torus holds loose solid all around, so that it has no end that could fall.
bool closes_around(int column)
{
#ifdef KNOWS_AHEAD
    return load_borders(ivec2(column, 0)).y != 0u; // in the whole world
#else
    int row = 0, rows = frame_size(size).y;
    while (row < rows && is_loose(ivec2(column, row)))
        row++;
    return row == rows;
#endif
}

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    int bears = substep == 0u ? BEARS : SLOWS; // the least role of a cell below that carries the piece
    ivec2 top = ivec2(first.x, first_own_row());
    bool is_closed =
        EDGES == EDGES_WRAP && top.y >= first.y && top.y < first.y + rows && is_loose(top) && closes_around(top.x);
#ifdef SEES_AMOUNTS
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        uint bits = is_loose(at) && is_own(at) ? bits_at(at, bears) : 0u;
        if (bits != 0u)
            set_held(label_at(at), bits);
    }
    if (is_closed)
        set_held(label_at(top), FIXED);
#else
    uint supported = 0u;
    int above = role_around(first - ivec2(0, 1)), here = role_at(first);
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        int below = role_around(at + ivec2(0, 1));
        if (here == LOOSE) {
            bool hangs = role_around(at - ivec2(1, 0)) == HOLDS || role_around(at + ivec2(1, 0)) == HOLDS;
            supported |= hangs || above == HOLDS || below >= bears ? 1u << row : 0u;
        }
        above = here;
        here = below;
    }
    if (is_closed)
        supported |= 1u << (top.y - first.y);
    for (supported &= own_bits(first); supported != 0u; supported &= supported - 1u)
        set_held(label_at(first + ivec2(0, findLSB(supported))), FIXED);
#endif
}
