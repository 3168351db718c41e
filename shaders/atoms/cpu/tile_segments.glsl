// Layout of seek and spread: a group works on the slots of one listed tile, one slot an invocation. Like segments,
// tiles are counted here from the side that fluid comes from.
#include "lib/tiles.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

ivec2 slot_index()
{
    int entry = listed(), lane = int(gl_LocalInvocationID.x), across = TILE.x / SEGMENT;
    if (entry < 0)
        return ivec2(1 << 20);
    ivec2 tile = ivec2(entry % tile_grid.x, entry / tile_grid.x);
    return ivec2(tile.y * (TILE.y / 2) + lane / across, tile.x * across + lane % across);
}
