// Layout of spread: a group works on one listed tile, an invocation on the triples whose middles lie in a row of the
// tile.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    int entry = listed();
    ivec2 first = tile_of(uint(entry)) * TILE + ivec2(0, int(gl_LocalInvocationID.x));
    find_turn(first);
    if (entry < 0 || first.x >= extent().x || first.y >= extent().y)
        return;
    int last = min(first.x + TILE.x, extent().x) - 1;
    int begins = min(column_of(first.x), column_of(last)), ends = max(column_of(first.x), column_of(last));
    int place = begins + (residue + 3 - begins % 3) % 3;
    for (; place <= ends; place += 3)
        level_from(place, first.y);
    if (extent().x < 3) // a ring too small for a whole triple
        level_from(2, first.y);
    mark_if_active(first);
    if (moved_units > 0u)
        count_moved(moved_units);
}
