// Layout of convert: each invocation owns one cell, of all cells of the world. What the cells of a group have made and
// used is counted once for the whole group: else all cells of the world would add to the same few words of the ledger.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

shared uint group_made[LAYERS], group_used[LAYERS]; // at most 2^31: 32 conversions of FULL in each of 64 cells

void add_to_group(ivec2 cell)
{
    if (!is_own(cell))
        return;
    for (int layer = 0; layer < LAYERS; layer++) {
        if (made[layer] > 0u)
            atomicAdd(group_made[layer], made[layer]);
        if (used[layer] > 0u)
            atomicAdd(group_used[layer], used[layer]);
    }
}

void main()
{
    ivec2 cell = invocation();
    int first = int(gl_LocalInvocationIndex);
    for (int layer = first; layer < LAYERS; layer += GROUP_X * GROUP_Y)
        group_made[layer] = group_used[layer] = 0u;
    barrier();
    begin();
    if (all(lessThan(cell, extent()))) {
        work_on(cell);
        mark_if_active(cell, is_own(cell));
        add_to_group(cell);
    }
    barrier();
    for (int layer = first; layer < LAYERS; layer += GROUP_X * GROUP_Y)
        count_layer(layer, group_made[layer], group_used[layer]);
}
