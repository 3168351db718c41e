// Cells of a mixture that are connected with others: the constants of rule pressure say for each layer how much a cell
// must hold.
#include "generated/pressure.glsl"

// Test if a cell is connected in any layer that rule pressure moves.
bool any_connected(ivec2 cell)
{
    bool found = false;
    for (int layer = 0; layer < PRESSES.length(); layer++)
        found = found || PRESSES[layer] != 0 && load_free_mixture(cell, layer) > CONNECTED[layer];
    return found;
}
