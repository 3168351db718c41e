// What the passes of rule heat note of tiles, which are those of rule atoms. Who reads it: rouse.glsl.
#include "atoms/waking.glsl"

#ifdef TILED
// A tile next to another: on a torus they close around, elsewhere the last is its own.
ivec2 tile_beside(ivec2 tile, ivec2 way)
{
    ivec2 next = tile + way, last = (frame_size(size) - 1) / TILE;
    if (EDGES != EDGES_WRAP)
        return clamp(next, ivec2(0), tile_grid - 1);
    return ivec2(next.x < 0 ? last.x : (next.x > last.x ? 0 : next.x),
                 next.y < 0 ? last.y : (next.y > last.y ? 0 : next.y));
}
#endif

// Something could be exchanged, or has changed, in the tile that holds a place.
void note_warm(ivec2 at)
{
    note_latest(tick);
    note_cell(WARM, at, frame_size(size), tick);
}

// Something is past a threshold, or on its way back from one.
void note_past(ivec2 at) { note_cell(PAST, at, frame_size(size), tick); }
