// Positions beyond the edges of the world.
#include "generated/cell.glsl"
#include "generated/edges.glsl"

// A place outside the world as a texel: empty beyond an open edge, solid beyond a closed edge.
const int TEXEL_OUTSIDE = EDGES == EDGES_OPEN ? 0 : SOLID_BIT;

// Wrap a coordinate, which is at least -3 * size, to a ring of `size` cells: a pass reads up to 3 cells beyond its own.
// The quotient is computed as a product with 2**32 / size, rounded down, which gives it or one less: a division by a
// size that the compiler does not know takes several times as long.
int wrapped(int coordinate, int size)
{
    uint high, low, cells = uint(coordinate + 3 * size);
    umulExtended(cells, 0xFFFFFFFFu / uint(size), high, low);
    int rest = int(cells - high * uint(size));
    return rest - (rest >= size ? size : 0);
}

// Map a cell into the world: on a torus by wrapping, else to the nearest cell inside.
ivec2 inside_world(ivec2 cell, ivec2 size)
{
    if (EDGES == EDGES_WRAP)
        return ivec2(wrapped(cell.x, size.x), wrapped(cell.y, size.y));
    return clamp(cell, ivec2(0), size - 1);
}

// Test if a cell lies outside the world; on a torus none does.
bool is_outside(ivec2 cell, ivec2 size)
{
    return EDGES != EDGES_WRAP && (cell.x < 0 || cell.y < 0 || cell.x >= size.x || cell.y >= size.y);
}
