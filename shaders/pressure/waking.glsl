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

#include "generated/tiles_of_matter.glsl"
#endif
