// Load the atom at a place of gravity's frame. Twin: oracle/atoms/cells.py.
#include "generated/tick.glsl"
#include "atoms/amounts.glsl"
#include "lib/atom.glsl"
#include "lib/chance.glsl"
#include "lib/edges.glsl"

// The atom of a cell's word, without the planes that it carries.
Atom atom_from(uint word)
{
    Atom atom = EMPTY;
    atom.material = int(material_of(word));
    atom.velocity = turned_to_frame(velocity_of(word));
    atom.grain = grain_of(word);
    return atom;
}

uint word_of(Atom atom) { return cell_word(uint(atom.material), turned_to_world(atom.velocity), atom.grain); }

// The atom at a place inside the world.
Atom atom_at(ivec2 at)
{
    ivec2 cell = to_world(at, size);
    Atom atom = atom_from(word_at(cell));
    atom.carried = load_carried(cell);
    return atom;
}

// The atom at a place that may be outside: there a wall, or on a torus the atom on the other side.
Atom atom_around(ivec2 at)
{
    ivec2 frame = frame_size(size);
    return is_outside(at, frame) ? OUTSIDE : atom_at(inside_world(at, frame));
}
