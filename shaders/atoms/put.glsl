// Writing an atom to a place of gravity's frame, for passes that move atoms. Twin: oracle/atoms/cells.py.
#include "atoms/cells.glsl"

void put(ivec2 at, Atom atom)
{
    ivec2 cell = to_world(at, size);
    store_cells(cell, word_of(atom));
#ifdef TRACE
    store_trace(cell, atom.origin);
#endif
#ifdef WARMTH
    store_warmth(cell, atom.warmth);
#endif
}
