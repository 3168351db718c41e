// What the passes of rule atoms note of tiles, so that those sleep in which nothing can change. Who reads it:
// activate.glsl.
#include "generated/tick.glsl"
#include "lib/frame.glsl"
#include "lib/tiles.glsl"

const int MARGIN = 2; // cells: no block, and nothing at rest, is moved by what changed farther from it

// Note something in the tiles on both sides of a line through places of the frame; `across` is half its width.
void note_beside(int layer, ivec2 at, ivec2 across, uint value)
{
    note_cell(layer, at - across, frame_size(size), value);
    note_cell(layer, at + across, frame_size(size), value);
}

// Note that something has changed at a place.
void note_change(int layer, ivec2 at)
{
    note_latest(tick);
    note_beside(layer, at - ivec2(0, MARGIN), ivec2(MARGIN, 0), tick);
    note_beside(layer, at + ivec2(0, MARGIN), ivec2(MARGIN, 0), tick);
}

// The same along a line of places, from one to another, which may lie in the tiles before and after that of `within`.
// No loop goes from tile to tile: on software OpenGL one more round costs more than a store that says nothing new.
void note_changes(int layer, ivec2 from, ivec2 within, ivec2 to, ivec2 across)
{
    note_latest(tick);
    note_beside(layer, from, across, tick);
    note_beside(layer, within, across, tick);
    note_beside(layer, to, across, tick);
}

#ifdef TILED
// Whether anything has changed in a tile, in this tick or in one of so many before.
bool has_changed(ivec2 tile, uint ticks)
{
    return is_since(CHANGED, tile, tick, ticks) || is_since(EXCHANGED, tile, tick, ticks);
}
#endif
