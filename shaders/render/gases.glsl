// Finds gas atoms around an empty cell: gases are drawn as clouds, which also fill the empty cells between their atoms.
#include "generated/materials.glsl"
#include "lib/edges.glsl"

const int PLACES = 9; // the cells of a 3x3 neighbourhood, row by row

ivec2 away_at(int place) { return ivec2(place % 3, place / 3) - 1; }

// Weight of a gas atom at a place: 1 at a side, 1/2 at a corner.
float nearness(int place) { return 1.0 / float(max(abs(place % 3 - 1) + abs(place / 3 - 1), 1)); }

ivec2 looked_at = ivec2(-1); // cache of gases_beside: the last cell, and its result
uint gases_found = 0u;

// A bit for each place of the 3x3 neighbourhood that holds gas; the bit of the cell itself is never set.
uint gases_beside(ivec2 cell)
{
    if (cell == looked_at)
        return gases_found;
    looked_at = cell;
    gases_found = 0u;
    for (int place = 0; place < PLACES; place++) {
        ivec2 other = cell + away_at(place);
        bool is_gas = !is_outside(other, size) && STATE_OF[load_material(inside_world(other, size))] == STATE_GAS;
        gases_found |= is_gas && place != PLACES / 2 ? 1u << place : 0u;
    }
    return gases_found;
}
