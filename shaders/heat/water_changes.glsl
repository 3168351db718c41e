// Water by mass that stores latent heat, to boil or to freeze. Law: a cell of water past a threshold of material water
// stores what it gets beyond the threshold, at the temperature of the threshold, up to a little more than the latent
// heat of an atom. With the latent heat of an atom it is ready to become one. Heat is in units of water, WATER_HEAT_ONE
// to a unit of an atom. Twin: oracle/water_changes.py.
#include "generated/cell.glsl"
#include "generated/heat.glsl"

struct WaterChange {
    int threshold; // in units of temperature
    int product;   // 0: water does not change so
    int latent;    // the latent heat of an atom, in units of temperature
    int side;      // 1: it takes heat; -1: it gives heat
};

const WaterChange BOILING = WaterChange(WATER_CHANGES[0], WATER_CHANGES[1], WATER_CHANGES[2], 1);
const WaterChange FREEZING = WaterChange(WATER_CHANGES[3], WATER_CHANGES[4], WATER_CHANGES[5], -1);

// The temperature of water from that which it would have without changes of state.
int of_liquid(int temperature)
{
    int own = clamp(temperature, TEMPERATURE_LEAST, TEMPERATURE_MOST);
    return min(max(own, FREEZING.threshold), BOILING.threshold);
}

// The heat that the water of a cell has stored toward a change; below 0 before the threshold.
int stored(WaterChange change, int heat, int mass)
{
    int beyond = change.threshold - AMBIENT;
    int capacity = min(mass >> 10, CAPACITY_HEAT / max(abs(beyond), 1)); // so no product overflows
    return change.side * (heat - beyond * capacity);
}

// The heat that the water of a cell can still store.
int room_before(WaterChange change, int heat, int mass)
{
    int most = (change.latent + LATENT_RESERVE) * WATER_HEAT_ONE;
    return change.product == 0 ? 0x7FFFFFFF : max(most - stored(change, heat, mass), 0);
}

// Test if the water of a cell has the latent heat of an atom.
bool is_ready(WaterChange change, int heat, int mass)
{
    bool can = change.product != 0 && mass >= CONDUCTS_FROM && mass < CHANGES_BELOW;
    return can && stored(change, heat, mass) >= max(change.latent, 1) * WATER_HEAT_ONE;
}
