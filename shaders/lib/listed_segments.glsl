// The segment that this invocation owns: its group works on some listed pairs of rows of tiles. Like segments, tiles
// are counted here from the side that fluid comes from.
#include "lib/tiles.glsl"
#include "generated/listed.glsl"

ivec2 unit()
{
    const int across = UNITS_IN_TILE.y;
    int lane = int(gl_LocalInvocationID.x), entry = listed(lane / across);
    if (entry < 0)
        return ivec2(1 << 20);
    int tile = entry / ROW_PAIRS, x = tile % tile_grid.x, y = tile / tile_grid.x;
    return ivec2(y * ROW_PAIRS + entry % ROW_PAIRS, x * across + lane % across);
}
