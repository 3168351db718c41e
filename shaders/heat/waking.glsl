// What the passes of rule heat note of tiles, their own and those of rule atoms. Who reads it: rouse.glsl of both.
#include "generated/tick.glsl"
#include "lib/frame.glsl"
#include "lib/tiles.glsl"

#ifndef TILED
void note_warm(ivec2 at) { }
void note_past(ivec2 at) { }
void note_matter(ivec2 at) { }
#else
// Something could be exchanged, or has changed, in the tile that holds a place.
void note_warm(ivec2 at)
{
    note_latest(tick);
    note_cell(WARM, at, frame_size(size), tick);
}

// Something is past a threshold, or on its way back from one.
void note_past(ivec2 at) { note_cell(PAST, at, frame_size(size), tick); }

int place_of_atoms_stamp(int layer, ivec2 tile)
{
    ivec2 at = stamped(tile);
    return ATOMS_STAMPS + layer * tiles_in_grid() + at.y * tile_grid.x + at.x;
}

// There is other matter at a place: rule atoms must look at it, and at what lies within its own margin of two cells.
void note_matter(ivec2 at)
{
    atoms_tiles[ATOMS_LATEST] = tick;
    for (int corner = 0; corner < 4; corner++) {
        ivec2 near = at + ivec2((corner & 1) * 4 - 2, (corner >> 1) * 4 - 2);
        atoms_tiles[place_of_atoms_stamp(ATOMS_CHANGED, tile_with(near, frame_size(size)))] = tick;
    }
}
#endif
