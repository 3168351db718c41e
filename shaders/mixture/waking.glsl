// What the passes of rule mixture note of tiles, so that those sleep in which nothing can change. Who reads it:
// rouse.glsl.
#include "generated/tick.glsl"
#include "lib/tiles.glsl"

// Note that something has changed in a cell, or would have, had chance allowed it.
void note_change(ivec2 cell)
{
    note_latest(tick);
    note_cell(CHANGED, cell, size, tick);
}

#ifdef TILED
// Whether anything has, in this tick or in one of so many before.
bool has_changed(ivec2 tile, uint ticks) { return is_since(CHANGED, tile, tick, ticks); }
#endif
