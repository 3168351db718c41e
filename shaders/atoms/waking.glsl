// Tile flags that the passes of rule atoms set; activate.glsl reads them.
#include "atoms/margin.glsl"
#include "generated/tick.glsl"
#include "lib/frame.glsl"
#include "lib/tiles.glsl"

// Set a tile flag in the tiles of two places of the frame, at distance `across` before and after a place.
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

// Note changes along a line of places `from` to `to`; both may lie in the tiles next to that of `within`. There is no
// loop over tiles: on software OpenGL another iteration costs more than a redundant store.
void note_changes(int layer, ivec2 from, ivec2 within, ivec2 to, ivec2 across)
{
    note_latest(tick);
    note_beside(layer, from, across, tick);
    note_beside(layer, within, across, tick);
    note_beside(layer, to, across, tick);
}

#ifdef TILED
// Test if a cell of a tile has changed in this tick or in the last `ticks`.
bool has_changed(ivec2 tile, uint ticks)
{
    return is_since(CHANGED, tile, tick, ticks) || is_since(STICKING, tile, tick, ticks);
}

// Test if what an atom of a tile carries has changed in this tick or in the last `ticks`.
bool has_carried_changed(ivec2 tile, uint ticks)
{
    bool found = false;
#define ADD_FLAG(FLAG) found = found || is_since(FLAG, tile, tick, ticks);
    CARRIED_FLAGS(ADD_FLAG)
    return found;
}

// Test if the two textures of the cells may differ in a tile, or an atom with a speed is there: something has changed
// in it in this tick or the last. Each tick writes the other texture at least twice where something has changed.
bool may_differ(ivec2 tile) { return has_changed(tile, 1u) || has_carried_changed(tile, 1u); }
#endif
