// Changes of the cells of a mixture, and the report of an invocation that has made some.
#include "mixture/cells.glsl"
#include "mixture/waking.glsl"

bool is_active = false; // true if a cell has changed, or would have changed with another draw

void put_texel(ivec2 at, int layer, int texel) { store_mixture_texel(to_world(at, size), layer, texel); }
void put_free(ivec2 at, int layer, int units) { store_free_mixture(to_world(at, size), layer, units); }

// Note a change in a tile, and that the world is active if it computes the cells that have changed (`own`).
void mark_if_active(ivec2 cell, bool own)
{
    if (!is_active)
        return;
    if (own)
        mark_active(tick);
    note_change(cell);
}
