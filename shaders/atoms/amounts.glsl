// The word of a cell, as passes over atoms see it. In a world with atoms and water by mass, or a mixture, a cell that
// holds some of it has the word of an atom of a further material: FIRST_AMOUNT for the least dense, up to
// FIRST_AMOUNT + DENSITY_STEPS - 1. Law: such a word is never stored. Twin: oracle/atoms/cells.py.
#include "generated/atoms.glsl"
#include "generated/cell.glsl"
#include "generated/amounts.glsl" // defines FIRST_AMOUNT, and SEES_AMOUNTS in a pass that sees amounts
#include "lib/water_step.glsl"

#ifdef SEES_AMOUNTS
bool is_amount(int material) { return material >= FIRST_AMOUNT; }

// Test if amounts of a density are less than a full cell of liquid, or gas.
bool is_thin_amount(int density) { return density < OPEN_BELOW; }

#ifdef OF_MIXTURE
// The step of density of all that a cell holds, rounded up: 0 only if it holds nothing.
int step_at(ivec2 cell)
{
    int weight = 0;
    for (int layer = 0; layer < AMOUNT_LAYERS; layer++)
        weight += (load_mixture(cell, layer) + (1 << WEIGHT_SHIFT) - 1 >> WEIGHT_SHIFT) * DENSITY_OF_LAYER[layer];
    return min((weight + STEP_WEIGHT - 1) / STEP_WEIGHT, DENSITY_STEPS);
}
bool is_wet(ivec2 cell) { return step_at(cell) > 0; }
#else
int step_at(ivec2 cell) { return water_step(load_mass(cell)); }
bool is_wet(ivec2 cell) { return load_mass(cell) > 0; }
#endif

uint word_at(ivec2 cell)
{
    uint word = load_cells(cell);
    int step = step_at(cell);
    return material_of(word) == 0u && step > 0 ? uint(FIRST_AMOUNT + step - 1) << SHIFT_MATERIAL : word;
}

// The word to store for a word that may be that of an amount.
uint stored_word(uint word) { return is_amount(int(material_of(word))) ? 0u : word; }
#else
bool is_amount(int material) { return false; }
bool is_thin_amount(int density) { return false; }
uint word_at(ivec2 cell) { return load_cells(cell); }
uint stored_word(uint word) { return word; }
#endif

uint material_at(ivec2 cell) { return material_of(word_at(cell)); }
