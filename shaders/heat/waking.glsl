// Tile flags that the passes of rule heat set, in the tiles of rule atoms; activate.glsl reads them.
#include "atoms/waking.glsl"

// Something could be exchanged, or has changed, in the tile that holds a place.
void note_warm(ivec2 at)
{
    note_latest(tick);
    note_cell(WARM, at, frame_size(size), tick);
}

// Something is past a threshold, or on its way back from one.
void note_past(ivec2 at) { note_cell(PAST, at, frame_size(size), tick); }
