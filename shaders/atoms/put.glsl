// Store an atom at a place of gravity's frame, for passes that move atoms. Twin: oracle/atoms/cells.py.
#include "atoms/cells.glsl"

void put(ivec2 at, Atom atom)
{
    ivec2 cell = to_world(at, size);
    store_cells(cell, stored_word(word_of(atom)));
    store_carried(cell, atom.carried);
}
