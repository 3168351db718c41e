#version 430
// Within each cell materials become others, unit for unit, one conversion of the table after the other.
// Law: what is made of one another was used up for; no cell holds more than it has room for.
// Twin: oracle.mixture.convert.
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "mixture/changes.glsl"

uint made[LAYERS], used[LAYERS];

void change(inout int amounts[LAYERS], int from, int to, int units)
{
    if (from == to)
        return;
    amounts[from] -= units;
    amounts[to] += units;
    used[from] += uint(units);
    made[to] += uint(units);
}

void work_on(ivec2 cell)
{
    int before[LAYERS], amounts[LAYERS];
    for (int layer = 0; layer < LAYERS; layer++)
        amounts[layer] = before[layer] = imageLoad(mixture, texel_of(cell, layer)).r;
    if (amounts[0] == SOLID)
        return;
    uint seen = imageLoad(around, cell).r;
    for (int number = 0; number < FIRST.length(); number++) {
        int first = FIRST[number], becomes = FIRST_BECOMES[number];
        int second = SECOND[number], other = SECOND_BECOMES[number];
        bool both = second >= 0, changes = first != becomes, other_changes = both && second != other;
        int units = min(MOST[number], amounts[first]);
        if (both)
            units = min(units, amounts[second]);
        int share = changes && other_changes && becomes == other ? 2 : 1;
        if (changes)
            units = min(units, (FULL - amounts[becomes]) / share);
        if (other_changes)
            units = min(units, (FULL - amounts[other]) / share);
        bool acts = BESIDE[number] < 0 || (seen >> (BESIDE[number] + BESIDE_SHIFT) & 1u) != 0u;
        if (!acts || units == 0)
            continue;
        stirred = true;
        change(amounts, first, becomes, units);
        if (both)
            change(amounts, second, other, units);
    }
    for (int layer = 0; layer < LAYERS; layer++)
        if (amounts[layer] != before[layer])
            imageStore(mixture, texel_of(cell, layer), ivec4(amounts[layer]));
}

void report(ivec2 cell)
{
    note_stirred(cell);
    for (int layer = 0; layer < LAYERS; layer++) {
        if (made[layer] > 0u)
            count_made_amount(layer, made[layer], tick);
        if (used[layer] > 0u)
            count_used_amount(layer, used[layer], tick);
    }
}

void begin()
{
    for (int layer = 0; layer < LAYERS; layer++)
        made[layer] = used[layer] = 0u;
}

#include "generated/way.glsl"
