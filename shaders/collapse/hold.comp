#version 430
// Find what keeps pieces from moving. A piece that touches a cell of role HOLDS is fixed. One that lies on a cell of
// role BEARS, in all steps of a tick but the first also of role SLOWS, a liquid, does not fall. One does not rise on
// which such a cell lies, or another piece near by. Law: the result does not depend on the order of work.
// Twin: oracle.collapse.hold.
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

// The bits of `HELD` that a cell above or below a loose cell sets for its piece.
uint bits_of(int above, int below, int bears)
{
    bool holds = above == HOLDS || below == HOLDS, wet = above == SLOWS || below == SLOWS;
    return (holds ? FIXED : 0u) | (below >= bears ? NO_FALL : 0u) | (above >= BEARS ? NO_RISE : 0u) | (wet ? WET : 0u);
}

// The bits that the cells on both sides of a loose cell set. A piece does not rise while another lies two rows above
// it, because that one may fall into the cell between.
uint bits_beside(ivec2 at)
{
    int left = role_around(at - ivec2(1, 0)), right = role_around(at + ivec2(1, 0));
    bool holds = left == HOLDS || right == HOLDS, wet = left == SLOWS || right == SLOWS;
    ivec2 over = at - ivec2(0, 2);
    bool near = role_around(at - ivec2(0, 1)) != LOOSE && role_around(over) == LOOSE;
    bool other = near && label_at(inside_world(over, frame_size(size))) != label_at(at);
    return (holds ? FIXED : 0u) | (other ? NO_RISE : 0u) | (wet ? WET : 0u);
}

// Test if a column of a torus holds loose solid all around, so that it has no end that could fall.
bool closes_around(int column)
{
#ifdef KNOWS_AHEAD
    return load_borders(ivec2(column, 0)).x != 0u; // in the whole world
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
    int above = role_around(first - ivec2(0, 1)), here = role_at(first);
    uint loose = 0u, bits = 0u;
    for (int row = 0; row < rows; row++) {
        int below = role_around(first + ivec2(0, row + 1));
        uint own = here == LOOSE ? 1u << row & own_bits(first) : 0u;
        loose |= own;
        bits |= own != 0u ? bits_of(above, below, bears) : 0u;
        if (bits != 0u && (below != LOOSE || row + 1 == rows)) { // once for a run
            set_held(label_at(first + ivec2(0, row)), bits);
            bits = 0u;
        }
        above = here;
        here = below;
    }
    for (; loose != 0u; loose &= loose - 1u) {
        ivec2 at = first + ivec2(0, findLSB(loose));
        uint beside = bits_beside(at);
        if (beside != 0u)
            set_held(label_at(at), beside);
    }
    if (is_closed)
        set_held(label_at(top), FIXED);
}
