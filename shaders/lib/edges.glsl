// Positions beyond the edges of the world.
#include "generated/edges.glsl"

// A coordinate on a ring of `size` cells; it may lie outside by any two rings.
int wrapped(int coordinate, int size) { return int(uint(coordinate + 2 * size) % uint(size)); }

// The cell that stands for `cell`: the same, or its place on the torus, or the nearest one inside.
ivec2 inside_world(ivec2 cell, ivec2 size)
{
    if (EDGES == EDGES_WRAP)
        return ivec2(wrapped(cell.x, size.x), wrapped(cell.y, size.y));
    return clamp(cell, ivec2(0), size - 1);
}

// Whether nothing of the world lies there.
bool is_outside(ivec2 cell, ivec2 size)
{
    return EDGES != EDGES_WRAP && (cell.x < 0 || cell.y < 0 || cell.x >= size.x || cell.y >= size.y);
}
