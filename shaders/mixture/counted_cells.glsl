// Layout of convert: each invocation owns one cell. What the cells of a group have made and used is counted once for
// the whole group: else all cells of the world would add to the same few words of the ledger.
#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const int PARTS = (GROUP_X * GROUP_Y + 63) / 64; // of a group, each with counts of its own
const int COUNTS = PARTS * LAYERS;

shared uint group_made[COUNTS], group_used[COUNTS]; // at most 2^31: 32 conversions of FULL in each of 64 cells

void add_to_group()
{
    int part = int(gl_LocalInvocationIndex) / 64 * LAYERS;
    for (int layer = 0; layer < LAYERS; layer++) {
        if (made[layer] > 0u)
            atomicAdd(group_made[part + layer], made[layer]);
        if (used[layer] > 0u)
            atomicAdd(group_used[part + layer], used[layer]);
    }
}

void main()
{
    ivec2 cell = unit();
    int first = int(gl_LocalInvocationIndex);
    for (int i = first; i < COUNTS; i += GROUP_X * GROUP_Y)
        group_made[i] = group_used[i] = 0u;
    barrier();
    begin();
    if (all(lessThan(cell, extent()))) {
        work_on(cell);
        mark_if_active(cell);
        add_to_group();
    }
    barrier();
    for (int i = first; i < COUNTS; i += GROUP_X * GROUP_Y)
        count_layer(i % LAYERS, group_made[i], group_used[i]);
}
