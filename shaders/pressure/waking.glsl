// What rule pressure notes of tiles, which are those of the rule that moves the liquid. A component is what is
// connected of tiles that hold liquid at rest, and of those into which it may rise or run: so every body lies in one. A
// component in which nothing has changed since nothing was left to be done in it sleeps, however busy the others are.
// Who reads it: activate.glsl.
#include "generated/waking.glsl"

#ifndef TILED
void note_unfinished(ivec2 at) { }
#else
// Tiles that share their tile_flags have one number.
uint number_of(ivec2 tile)
{
    ivec2 at = flagged(tile);
    return uint(at.y * tile_grid.x + at.x);
}

ivec2 tile_of(uint number) { return ivec2(int(number) % tile_grid.x, int(number) / tile_grid.x); }

// The component of a tile, as it was when its tiles were last connected; of one that was never looked at itself.
uint component_of(ivec2 tile)
{
    uint component = tile_flag(COMPONENT, tile);
    return component < uint(tiles_in_grid()) ? component : number_of(tile);
}

// That the last round of this tick was not the last one in which something could be done.
void note_unfinished(ivec2 at)
{
    set_tile_flag(UNFINISHED, tile_of(component_of(tile_with(at, frame_size(size)))), tick);
}

bool has_liquid(ivec2 tile) { return tile_flag(LIQUID, tile) == 1u; }

// Whether a tile is of a component: it holds liquid, or one from which some may come does.
bool is_wet(ivec2 tile)
{
    bool wet = has_liquid(tile) || has_liquid(tile_beside(tile, ivec2(0, 1)));
#ifdef IN_TILES_OF_MIXTURE
    wet = wet || has_liquid(tile_beside(tile, ivec2(0, -1)));
    wet = wet || has_liquid(tile_beside(tile, ivec2(-1, 0))) || has_liquid(tile_beside(tile, ivec2(1, 0)));
#endif
    return wet;
}

// Whether in this tick or the one before something has changed of what a tile holds, or of what lies over it, so that a
// surface in it may be open now.
bool is_concerned(ivec2 tile)
{
#ifdef IN_TILES_OF_MIXTURE
    return has_changed_around(tile);
#else
    return has_changed(tile, 1u);
#endif
}
#endif
