// The word of a cell, as passes over atoms see it. In a world with water by mass and atoms a cell that holds water has
// the word of an atom of a further material: WATER for the thinnest water, up to WATER + WATER_STEPS - 1 for a full
// cell. Law: such a word is never stored. Twin: oracle/atoms/cells.py.
#include "generated/atoms.glsl"
#include "generated/cell.glsl"
#include "generated/water.glsl" // defines WATER, and SEES_WATER in a pass that sees water
#include "lib/water_step.glsl"

#ifdef SEES_WATER
bool is_water(int material) { return material >= WATER; }

uint word_at(ivec2 cell)
{
    uint word = load_cells(cell);
    int step = water_step(load_mass(cell));
    return material_of(word) == 0u && step > 0 ? uint(WATER + step - 1) << SHIFT_MATERIAL : word;
}

// The word to store for a word that may be that of water.
uint stored_word(uint word) { return is_water(int(material_of(word))) ? 0u : word; }
#else
bool is_water(int material) { return false; }
uint word_at(ivec2 cell) { return load_cells(cell); }
uint stored_word(uint word) { return word; }
#endif

uint material_at(ivec2 cell) { return material_of(word_at(cell)); }
