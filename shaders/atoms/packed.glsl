// Atoms as the words of their planes, for passes over 2x2 blocks: an atom that only changes places is never unpacked.
// Twin: oracle/atoms/cells.py.
#include "atoms/cells.glsl"

struct PackedAtom {
    uint word; // of the cell
    Carried carried;
};

// The atom at a place. The place may be outside the world, where the cell's word is `outside`.
PackedAtom packed_at(ivec2 at, uint outside)
{
    ivec2 frame = frame_size(size), cell = to_world(inside_world(at, frame), size);
    return PackedAtom(is_outside(at, frame) ? outside : word_at(cell), load_carried(cell));
}

// Write an atom to a place; outside the world nothing is written.
void put_packed(ivec2 at, PackedAtom atom)
{
    ivec2 frame = frame_size(size), cell = to_world(inside_world(at, frame), size);
    if (is_outside(at, frame))
        return;
    store_cells(cell, stored_word(atom.word));
    store_carried(cell, atom.carried);
}

bool is_empty(PackedAtom atom) { return material_of(atom.word) == 0u; }
