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
    ivec2 places = places_of_tile(first.x);
    int place = places.x;
    bool last_done = extent().x < 3 && residue == 2; // a ring too small for a whole triple
    if (place <= places.y)
        do {
            level_triple(place, first.y);
            last_done = last_done || is_last(place);
            place += 3;
        } while (place <= places.y);
    // Not within the loop: software OpenGL would run it for every triple.
    if (last_done)
        level_rest(first.y);
    count_heat();
    mark_if_active(first);
    if (moved_units > 0u)
        count_moved(moved_units);
}
