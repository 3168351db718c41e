// A layout over tiles: a group works on one listed tile, an invocation on the strip that is a column of the tile.
#include "lib/tiles.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

ivec2 owned_strip()
{
    int entry = listed();
    return entry < 0 ? frame_size(size) : tile_of(uint(entry)) * TILE + ivec2(gl_LocalInvocationID.x, 0);
}
