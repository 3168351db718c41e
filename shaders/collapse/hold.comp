#version 430
// Find the pieces that are held: a cell of the piece is above, below or beside a cell of role HOLDS, or lies on a cell
// of role BEARS; in all steps of a tick but the first also on a cell of role SLOWS, a liquid. Law: the result does not
// depend on the order of work. Twin: oracle.collapse.hold.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "collapse/roles.glsl"

uniform uint substep;

#include "generated/layout.glsl"

void set_held(uint label)
{
    ivec2 piece = place_of_label(label);
    if (load_held(piece) == 0u) // a read is cheaper than an atomic operation
        atomic_or_held(piece, 1u);
}

// Test if a column of a torus holds loose solid all around, so that it has no end that could fall.
bool closes_around(int column)
{
    int row = 0, rows = frame_size(size).y;
    while (row < rows && is_loose(ivec2(column, row)))
        row++;
    return row == rows;
}

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    int bears = substep == 0u ? BEARS : SLOWS; // the least role of a cell below that carries the piece
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
    if (EDGES == EDGES_WRAP && first.y == 0 && is_loose(first) && closes_around(first.x))
        supported |= 1u;
    for (; supported != 0u; supported &= supported - 1u)
        set_held(label_at(first + ivec2(0, findLSB(supported))));
}
