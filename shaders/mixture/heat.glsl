// The heat that goes along with the parts of a mixture that move, beside rule heat. Law: what a cell sends takes the
// same part of its heat along, rounded; all that the cell holds takes all of its heat. A cell takes no heat beyond
// WATER_HEAT_MOST: what it has no room for goes to the air and is counted. The including file has the image of plane
// `warmth` in worlds with it. Twin: oracle/mixture.py.
#include "generated/laws_of_amounts.glsl" // defines HAS_WATER_HEAT

#ifdef HAS_WATER_HEAT
#include "lib/heat_shares.glsl"

// The heat of a mixture in a cell; in a cell with an atom the word of the atom, to which no heat is ever added.
int heat_at(ivec2 at) { return int(load_warmth(to_world(at, size))); }
void put_heat(ivec2 at, int heat) { store_warmth(to_world(at, size), uint(heat)); }

// The heat that goes along with some units of the mass of a cell.
int heat_with(int heat, int mass, int units) { return units > 0 ? heat_along(heat, mass, units) : 0; }

// All that can flow in a cell, in units.
int mass_at(ivec2 at)
{
    int mass = 0;
    for (int layer = 0; layer < LAYERS; layer++)
        mass += free_at(at, layer);
    return mass;
}
#endif
