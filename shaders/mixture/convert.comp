#version 430
// Convert materials within each cell, unit for unit, one conversion of the table after the other. Law: a unit of one
// material is made for each unit of another that is used up; no cell holds more than it has room for.
// Twin: oracle.mixture.convert.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "mixture/changes.glsl"

uint made[LAYERS], used[LAYERS]; // in cells that the world computes

int amounts[LAYERS]; // the amounts that can flow; 0 in solid cells

bool counts; // whether the world computes the cell

void change(int from, int to, int units)
{
    if (from == to)
        return;
    amounts[from] -= units;
    amounts[to] += units;
    uint counted = counts ? uint(units) : 0u;
    used[from] += counted;
    made[to] += counted;
}

void convert(uint seen, int number)
{
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
    bool acts = BESIDE_LAYER[number] < 0 || (seen >> (BESIDE_LAYER[number] + BESIDE_SHIFT) & 1u) != 0u;
    units = acts ? units : 0;
    is_active = is_active || units > 0;
    is_own_active = is_own_active || (units > 0 && counts);
    change(first, becomes, units);
    if (both)
        change(second, other, units);
}

void load_layer(ivec2 cell, int layer) { amounts[layer] = free_at(cell, layer); }

void store_layer(ivec2 cell, int layer, int before)
{
    if (amounts[layer] != before)
        put_free(cell, layer, amounts[layer]);
}

void work_on(ivec2 cell)
{
#define LOAD(LAYER) load_layer(cell, LAYER)
    EACH_LAYER(LOAD);
    int before[LAYERS] = amounts;
    uint seen = load_around(cell);
    counts = is_own(cell);
    const int CONVERSIONS = FIRST.length();
#define CONVERT(NUMBER) convert(seen, NUMBER)
    EACH_OF_EIGHT(CONVERSIONS, 0, CONVERT);
    EACH_OF_EIGHT(CONVERSIONS, 8, CONVERT);
    EACH_OF_EIGHT(CONVERSIONS, 16, CONVERT);
    EACH_OF_EIGHT(CONVERSIONS, 24, CONVERT);
#define STORE(LAYER) store_layer(cell, LAYER, before[min(LAYER, LAYERS - 1)])
    EACH_LAYER(STORE);
}

// Add to the ledgers what was made and what was used of a layer.
void count_layer(int layer, uint units_made, uint units_used)
{
    if (units_made > 0u)
        count_made_amount(layer, units_made, tick);
    if (units_used > 0u)
        count_used_amount(layer, units_used, tick);
}

void report(ivec2 cell)
{
    mark_if_active(cell);
    for (int layer = 0; layer < LAYERS; layer++)
        count_layer(layer, made[layer], used[layer]);
}

void begin()
{
    for (int layer = 0; layer < LAYERS; layer++)
        made[layer] = used[layer] = 0u;
}

#include "generated/layout.glsl"
