// The role of a cell for the pieces around it: what the cell is or does. Twin: oracle/collapse.py.
#include "collapse/pieces.glsl"
#include "atoms/amounts.glsl"

int role_at(ivec2 at) { return role_of(material_at(to_world(at, size))); }

bool is_loose(ivec2 at) { return role_at(at) == LOOSE; }

// The role of a place that may lie outside: the edge of the world holds.
int role_around(ivec2 at)
{
    ivec2 frame = frame_size(size);
    return is_outside(at, frame) ? HOLDS : role_at(inside_world(at, frame));
}
