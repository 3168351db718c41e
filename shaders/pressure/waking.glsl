// Tile flags that rule pressure sets, in the tiles of the rule that moves the liquid; activate.glsl reads them. A
// component is a connected set of tiles that hold liquid at rest, and of tiles into which it may rise or run; so every
// body lies in one component. A component sleeps when unchanged, with no pending transfers, whatever the others do.
#include "generated/waking.glsl"

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
bool has_powder(ivec2 tile) { return tile_flag(POWDER, tile) == 1u; }

#include "generated/tiles_of_matter.glsl"
