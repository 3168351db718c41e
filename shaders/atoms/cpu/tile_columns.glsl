// Layout of weigh, sink, touch and bounce: a group works on the columns of one listed tile, one strip of a column an
// invocation.
#include "lib/tiles.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

bool owns_all_strips() { return false; }

ivec2 strip_index()
{
    int entry = listed();
    if (entry < 0)
        return ivec2(1 << 20);
    ivec2 tile = tile_of(uint(entry));
    return ivec2(tile.x * TILE.x + int(gl_LocalInvocationID.x), tile.y);
}
