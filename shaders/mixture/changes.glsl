// Changes of the cells of a mixture, and the report of an invocation that has made some.
#include "mixture/cells.glsl"
#include "mixture/noting.glsl"

bool is_active = false;     // true if a cell has changed, or would have changed with another draw
bool is_own_active = false; // true if such a cell is one that the world computes

void act(bool acts, ivec2 cell)
{
    is_active = is_active || acts;
    is_own_active = is_own_active || (acts && is_own(cell));
}

void put_texel(ivec2 at, int layer, int texel) { store_mixture_texel(to_world(at, size), layer, texel); }
void put_free(ivec2 at, int layer, int units) { store_free_mixture(to_world(at, size), layer, units); }

// Note a change in the tile of a cell, and that the world is active if it computes a cell that has changed.
void mark_if_active(ivec2 cell)
{
    if (!is_active)
        return;
    if (is_own_active)
        mark_active(tick);
    note_change(cell);
}
