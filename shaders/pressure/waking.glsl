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

// Note that liquid, or powder, was found in the tile of a cell in this tick; and test if the last search of a tile
// found some. A tile that was never searched, because it has no cells, holds none.
void note_found(int layer, ivec2 at) { note_cell(layer, at, frame_size(size), tick + 1u); }
bool has_found(int layer, ivec2 tile) { return tile_flag(layer, tile) == tile_flag(SEARCHED, tile) + 1u; }

bool has_liquid(ivec2 tile) { return has_found(LIQUID, tile); }
bool has_powder(ivec2 tile) { return has_found(POWDER, tile); }

#include "generated/tiles_of_matter.glsl"
