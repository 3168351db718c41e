#version 430
// Give each tile the number of its component, and activate the component if the tile has changed. Analysis only; see
// waking.glsl.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/tile_components.glsl"
#include "pressure/activate.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 tile = invocation();
    if (any(greaterThanEqual(tile * TILE, frame_size(size))) || all_rest(1) || !in_component(tile))
        return;
    uint component = root_of(number_of(tile));
    set_tile_flag(COMPONENT, tile, component);
    if (may_have_new_surface(tile) || may_have_new_load(tile) || tile_flag(HELD, tile) == tick)
        set_tile_flag(ACTIVATED, tile_of(component), tick);
}
