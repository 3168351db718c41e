// Layout of rule collapse: a group works on one listed tile, an invocation on a column of it.
#include "collapse/waking.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

ivec2 owned_strip()
{
    int entry = listed();
    ivec2 tile = ivec2(entry % tile_grid.x, entry / tile_grid.x);
    return entry < 0 ? frame_size(size) : tile * TILE + ivec2(gl_LocalInvocationID.x, 0);
}

// Test if a place beside the tile has been labelled in this tick. Other tiles may hold labels of earlier ticks, but no
// loose solid.
bool is_labelled(ivec2 at) { return in_cluster(tile_with(at, frame_size(size))); }
