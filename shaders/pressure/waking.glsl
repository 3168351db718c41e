// Tile flags that rule pressure sets, in the tiles of the rule that moves the liquid; activate.glsl reads them. A
// component is a connected set of tiles that hold liquid at rest, and of tiles into which it may rise or run; so every
// body lies in one component. A component sleeps when unchanged, with no pending transfers, whatever the others do.
#include "generated/waking.glsl"

#ifndef TILED
void note_unfinished(ivec2 at) { }
#else
// The number of a tile; tiles that share their tile flags have the same number.
uint number_of(ivec2 tile)
{
    ivec2 at = flagged(tile);
    return uint(at.y * tile_grid.x + at.x);
}

ivec2 tile_of(uint number) { return ivec2(int(number) % tile_grid.x, int(number) / tile_grid.x); }

// The component of a tile when components were last found; a tile that was never visited is its own component.
uint component_of(ivec2 tile)
{
    uint component = tile_flag(COMPONENT, tile);
    return component < uint(tiles_in_grid()) ? component : number_of(tile);
}

// Note that the last round of this tick still transferred matter.
void note_unfinished(ivec2 at)
{
    set_tile_flag(UNFINISHED, tile_of(component_of(tile_with(at, frame_size(size)))), tick);
}

bool has_liquid(ivec2 tile) { return tile_flag(LIQUID, tile) == 1u; }

// Test if a tile belongs to a component: it holds liquid, or liquid may come from a neighbour that does.
bool in_component(ivec2 tile)
{
    bool wet = has_liquid(tile) || has_liquid(tile_beside(tile, ivec2(0, 1)));
#ifdef IN_TILES_OF_MIXTURE
    wet = wet || has_liquid(tile_beside(tile, ivec2(0, -1)));
    wet = wet || has_liquid(tile_beside(tile, ivec2(-1, 0))) || has_liquid(tile_beside(tile, ivec2(1, 0)));
#endif
    return wet;
}

// Test if a tile, or the matter over it, has changed in this tick or the last, so that a surface in it may have opened.
bool may_have_new_surface(ivec2 tile)
{
#ifdef IN_TILES_OF_MIXTURE
    return has_changed_around(tile);
#else
    return has_changed(tile, 1u);
#endif
}
#endif
