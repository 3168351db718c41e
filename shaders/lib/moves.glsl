// The distance that an atom has moved since its tick began. Twin: gpufluid/core/moves.py.
#include "generated/cell.glsl"
#include "generated/edges.glsl"

// The displacement along one axis; on a torus the shorter of the two.
int shortest(int way, int length)
{
    if (EDGES != EDGES_WRAP)
        return way;
    return way > length / 2 ? way - length : (way < -(length / 2) ? way + length : way);
}

// The move of the atom in a cell, from the origin that it carries.
ivec2 move_of(uint origin, ivec2 cell, ivec2 size)
{
    ivec2 way = cell - ivec2(origin & 0xFFFFu, origin >> 16);
    return ivec2(shortest(way.x, size.x), shortest(way.y, size.y));
}
