// The water at a place that may be outside the world. A speed lies at the right or at the lower face of its cell.
#include "flow/around.glsl"
#include "flow/tile_strips.glsl"
#include "generated/inertia.glsl"

// The speed through a face at the edge of the world: that of the next face, outward, and at least `least`. `sign` is
// the direction outward. Only an open edge has one; a world of one column or row has no next face.
int speed_outward(int next, int sign, int least) { return sign * max(sign * next, least); }

int speed_right_at(ivec2 cell)
{
    if (EDGES == EDGES_WRAP)
        return load_speed_right(inside_world(cell, size));
    if (EDGES == EDGES_CLOSED)
        return load_speed_right(cell); // 0 beyond the world: OpenGL reads 0 there
    if (cell.y < 0 || cell.y >= size.y || cell.x < -1 || cell.x >= size.x)
        return 0;
    if (cell.x >= 0 && cell.x < size.x - 1)
        return load_speed_right(cell);
    int next = size.x == 1 ? 0 : load_speed_right(ivec2(cell.x < 0 ? 0 : size.x - 2, cell.y));
    return speed_outward(next, cell.x < 0 ? -1 : 1, LEAVING);
}

// Gravity already pulls at what leaves below. Nothing pulls upward, so water leaves above only if it moves so.
int speed_down_at(ivec2 cell)
{
    if (EDGES == EDGES_WRAP)
        return load_speed_down(inside_world(cell, size));
    if (EDGES == EDGES_CLOSED)
        return load_speed_down(cell);
    if (cell.x < 0 || cell.x >= size.x || cell.y < -1 || cell.y >= size.y)
        return 0;
    if (cell.y >= 0 && cell.y < size.y - 1)
        return load_speed_down(cell);
    int next = size.y == 1 ? 0 : load_speed_down(ivec2(cell.x, cell.y < 0 ? 0 : size.y - 2));
    return speed_outward(next, cell.y < 0 ? -1 : 1, cell.y < 0 ? 0 : LEAVING);
}

// A product with a sign, of which the magnitude is rounded down: so mirrored water moves alike.
int with_sign(int magnitude, int sign) { return sign < 0 ? -magnitude : magnitude; }

// Note that a strip has changed, or that mass moves in it.
void note_strip(ivec2 first)
{
    note_latest(tick);
    note_cell(CHANGED, first, size, tick);
}
