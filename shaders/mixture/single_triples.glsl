// Layout of spread: each invocation owns one triple, of all triples of the world.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "mixture/counted_by_groups.glsl"

void main()
{
    find_turn(ivec2(0, invocation().y));
    int place = 3 * invocation().x + residue, row = invocation().y;
    if (row < extent().y) {
        level_triple(place, row);
        if (is_last(place))
            level_rest(row);
    }
    ivec2 cell = clamp(ivec2(column_of(place), row), ivec2(0), extent() - 1);
    mark_if_active(cell, is_own(cell));
    count_heat();
    count_with_group(moved_units);
}
