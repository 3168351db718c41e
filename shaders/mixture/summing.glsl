// Sums of the strips of a column, shared by sum_sinking and sum_rising: gain and cap of each limit, see wishes.glsl.
// gpufluid/cluster/limits.py joins them. The including file defines DIRECTION.
#include "generated/strip.glsl"
#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 strip = unit(), rows = min(ivec2(strip.y, strip.y + 1) * STRIP_HEIGHT, extent().y) - ivec2(0, 1);
    if (strip.x >= extent().x || rows.x > rows.y)
        return;
    for (int layer = 0; layer < LIMITS; layer++) {
        int gain = 0, cap = UNLIMITED;
        int row = DIRECTION == DOWN ? rows.y : rows.x, last = rows.x + rows.y - row;
        for (; row != last - DIRECTION; row -= DIRECTION)
            add_cell(ivec2(strip.x, row), layer, DIRECTION, gain, cap);
        store_limits(ivec2(strip.x, strip.y * LIMITS + layer), uvec2(gain, cap));
    }
}
