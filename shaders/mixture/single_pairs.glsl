// Layout of sink: each invocation owns one pair, of all pairs of the world.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#include "mixture/counted_by_groups.glsl"

void main()
{
    ivec2 rows = invocation() * ivec2(1, 2);
    ivec2 upper = rows - ivec2(0, parity(rows));
    if (upper.x < size.x && upper.y < size.y)
        exchange_from(upper);
    mark_if_active(clamp(upper, ivec2(0), size - 1));
    count_with_group(moved_units);
}
