// Layout of decay: a group works on one listed tile, an invocation on a column of it.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const int ROWS = TILE.y;

ivec2 owned_column()
{
    int entry = listed();
    ivec2 tile = tile_of(uint(entry));
    return entry < 0 ? frame_size(size) : tile * TILE + ivec2(gl_LocalInvocationID.x, 0);
}
