// Layout of seek and spread: a group works on some listed pairs of rows of tiles, one slot an invocation. Like
// segments, tiles are counted here from the side that fluid comes from.
#include "lib/tiles.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

ivec2 slot_index()
{
    const int across = TILE.x / SEGMENT;
    int lane = int(gl_LocalInvocationID.x), entry = listed(lane / across);
    if (entry < 0)
        return ivec2(1 << 20);
    int tile = entry / ROW_PAIRS, x = tile % tile_grid.x, y = tile / tile_grid.x;
    return ivec2(y * ROW_PAIRS + entry % ROW_PAIRS, x * across + lane % across);
}
