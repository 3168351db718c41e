// Flows from cell to cell of a mixture, and their random words.
#include "mixture/changes.glsl"

uint moved_units = 0u; // units that this invocation has moved

// Store the units that a cell, which is not solid, holds now; units beyond an open edge have left the world.
void hold(Place place, int layer, int units)
{
    if (place.inside)
        put_free(place.cell, layer, units);
    else if (units > 0 && is_own(place.cell))
        count_left_amount(layer, uint(units), tick);
}

// Two random numbers of 31 bits for a layer in a cell.
uvec2 drawn(ivec2 cell, int layer, int use) { return noise(cell, uint(use + layer)).xy >> 1; }
