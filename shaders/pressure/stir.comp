#version 430
// Each tile takes its pond's number, and rouses the pond if it has changed. It only scouts; see waking.glsl.
#include "generated/images.glsl"
#include "pressure/ponds.glsl"
#include "pressure/rouse.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 tile = invocation();
    if (any(greaterThanEqual(tile * TILE, frame_size(size))) || all_rest() || !is_wet(tile))
        return;
    uint pond = end_of_links(number_of(tile));
    set_stamp(POND, tile, pond);
    if (is_concerned(tile) || stamp(HELD, tile) == tick)
        set_stamp(ROUSED, tile_of(pond), tick);
}
