// Tile flags that the passes of rule heat set, in the tiles of rule atoms; activate.glsl reads them.
#include "atoms/waking.glsl"

// Note that heat could be exchanged, or an atom has changed, in the tile that holds a place.
void note_warm(ivec2 at)
{
    note_latest(tick);
    note_cell(WARM, at, frame_size(size), tick);
}

// Note that an atom is past a threshold, or still stores latent heat.
void note_past(ivec2 at) { note_cell(PAST, at, frame_size(size), tick); }

// Note that water is ready to boil or freeze in the tile that holds a place.
void note_ready(ivec2 at)
{
    note_latest(tick);
    note_cell(READY, at, frame_size(size), tick);
}
