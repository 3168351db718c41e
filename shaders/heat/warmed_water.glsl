// The heat of water by mass, or of a mixture, that is warmed by hand. Law: a full cell gets WATER_HEAT_ONE for each
// unit of temperature, other cells in proportion to their mass. Nothing is added beyond the heat that water has at the
// ends of the scale of temperatures, if it neither boils nor freezes, nor beyond WATER_HEAT_LIMIT. Twin:
// gpufluid/rules/heat.py.
#include "generated/cell.glsl"
#include "generated/heat.glsl"

// The heat that warms water of a capacity by some units of temperature, or less of it, but more than the range of a
// cell's heat. No sum of it and a cell's heat overflows.
int heat_of_units(int capacity, int units)
{
    int size = abs(units), range = 2 * WATER_HEAT_LIMIT;
    int heat = min(capacity, range / max(size, 1) + 1) * size;
    return units < 0 ? -heat : heat;
}

int warmed_water(int mass, int heat, int units)
{
    int capacity = mass >> 10;
    int lowest = clamp(heat_of_units(capacity, TEMPERATURE_LEAST - AMBIENT), -WATER_HEAT_LIMIT, WATER_HEAT_LIMIT);
    int highest = clamp(heat_of_units(capacity, TEMPERATURE_MOST - AMBIENT), -WATER_HEAT_LIMIT, WATER_HEAT_LIMIT);
    return clamp(heat + heat_of_units(capacity, units), min(heat, lowest), max(heat, highest));
}
