// Layout of passes over 2x2 blocks: a group works on one listed tile, an invocation on half a column of its blocks. The
// first invocations have the upper halves.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const int ROWS_OF_BLOCKS = TILE.y / 4;

ivec2 owned_block()
{
    int entry = listed(), lane = int(gl_LocalInvocationID.x), across = TILE.x / 2;
    ivec2 tile = tile_of(uint(entry));
    ivec2 block = tile * TILE / 2 + ivec2(lane % across, lane / across * ROWS_OF_BLOCKS);
    return entry < 0 ? frame_size(size) : block;
}
