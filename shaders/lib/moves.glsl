// The displacement of an atom since its tick began. Twin: gpufluid/core/moves.py.
#include "generated/cell.glsl"
#include "generated/edges.glsl"

// The displacement along one axis; on a torus the shorter of the two.
int shortest(int delta, int length)
{
    if (EDGES != EDGES_WRAP)
        return delta;
    return delta > length / 2 ? delta - length : (delta < -(length / 2) ? delta + length : delta);
}

// The move of the atom in a cell, from the origin that it carries.
ivec2 move_of(uint origin, ivec2 cell, ivec2 size)
{
    ivec2 delta = cell - ivec2(origin & 0xFFFFu, origin >> 16);
    return ivec2(shortest(delta.x, size.x), shortest(delta.y, size.y));
}
