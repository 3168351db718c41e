// Layout of look and convert: a group works on one listed tile, an invocation on a row of it.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    int entry = listed();
    ivec2 first = tile_of(uint(entry)) * TILE + ivec2(0, int(gl_LocalInvocationID.x));
    if (entry < 0 || first.x >= extent().x || first.y >= extent().y)
        return;
    begin();
    for (int x = first.x; x < min(first.x + TILE.x, extent().x); x++)
        work_on(ivec2(x, first.y));
    report(first);
}
