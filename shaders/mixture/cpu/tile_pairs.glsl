// Layout of sink: a group works on one listed tile, an invocation on the pairs whose upper cells lie in a column of the
// tile. The pair of the first row and the row above it belongs to the first row's tile.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    int entry = listed();
    ivec2 first = ivec2(entry % tile_grid.x, entry / tile_grid.x) * TILE + ivec2(int(gl_LocalInvocationID.x), 0);
    if (entry < 0 || first.x >= size.x || first.y >= size.y)
        return;
    int begins = first.y == 0 ? -parity(first) : first.y + parity(first);
    for (int y = begins; y < min(first.y + TILE.y, size.y); y += 2)
        exchange_from(ivec2(first.x, y));
    mark_if_active(first);
    if (moved_units > 0u)
        count_moved(moved_units);
}
