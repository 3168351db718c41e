// The gas beside a cell of air: gases are drawn as clouds, which also fill the air between their atoms.
#include "generated/materials.glsl"
#include "lib/edges.glsl"

const int PLACES = 9; // of 3x3 cells

ivec2 away_at(int place) { return ivec2(place % 3, place / 3) - 1; }

// How much a gas atom there counts: the farther the less.
float nearness(int place) { return 1.0 / float(max(abs(place % 3 - 1) + abs(place / 3 - 1), 1)); }

ivec2 looked_at = ivec2(-1); // the cell that was asked for last, and what was found
uint gases_found = 0u;

// A bit for each of the nine places that holds gas; that of the cell itself is never set.
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
