// What flows from cell to cell, and the chance by which it does.
#include "mixture/changes.glsl"

uint moved_units = 0u; // by this invocation

// A cell holds so much now; what has come beyond an edge is gone.
void hold(Place place, int layer, int units)
{
    if (place.inside)
        store_mixture(place.cell, layer, units);
    else if (units > 0)
        count_left_amount(layer, uint(units), tick);
}

// 31 random bits, twice, for a layer in a cell.
uvec2 drawn(ivec2 cell, int layer, int use) { return noise(cell, uint(use + layer)).xy >> 1; }
