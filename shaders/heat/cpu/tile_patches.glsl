// Layout of rule heat: a group works on one listed tile, an invocation on some of its columns.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

ivec2 owned_patch(ivec2 frame)
{
    int entry = listed();
    ivec2 tile = tile_of(uint(entry));
    ivec2 first = tile * TILE + ivec2(int(gl_LocalInvocationID.x) * STRIP_WIDTH, 0);
    return entry < 0 ? frame : first;
}
