// Layout of spread: each invocation owns the triple around one middle cell of a tile.
#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "mixture/counted_by_groups.glsl"

void main()
{
    ivec2 triple = unit();
    int row = triple.y, column = triple.x / UNITS_IN_TILE.x * TILE.x; // the first column of the tile
    find_turn(ivec2(0, row));
    ivec2 places = places_of_tile(column);
    int place = places.x + 3 * (triple.x % UNITS_IN_TILE.x);
    bool is_there = place <= places.y || extent().x < 3; // a ring too small for a whole triple has only a rest
    if (is_there && row < extent().y && column < extent().x) {
        level_triple(place, row);
        if (is_last(place))
            level_rest(row);
    }
    ivec2 cell = clamp(ivec2(column_of(place), row), ivec2(0), extent() - 1);
    mark_if_active(cell);
    count_heat();
    count_with_group(moved_units);
}
