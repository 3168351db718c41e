// Reading and writing atoms at places of gravity's frame. FROM is the image of the cell words that the pass reads, and
// TO of those that it writes, if any; so for what atoms carry: TRACE_FROM and TRACE_TO, WARMTH_FROM and WARMTH_TO.
#include "generated/access.glsl"
#include "generated/tick.glsl"
#include "lib/atom.glsl"
#include "lib/edges.glsl"

// A cell's word as an atom, but for its origin.
Atom atom_from(uint word)
{
    Atom atom = EMPTY;
    atom.material = int(material_of(word));
    atom.velocity = turned_to_frame(velocity_of(word));
    atom.grain = grain_of(word);
    return atom;
}

uint word_of(Atom atom) { return cell_word(uint(atom.material), turned_to_world(atom.velocity), atom.grain); }

// What lies at a place inside the world.
Atom atom_at(ivec2 at)
{
    ivec2 cell = to_world(at, size);
    Atom atom = atom_from(imageLoad(FROM, cell).r);
#ifdef TRACE
    atom.origin = imageLoad(TRACE_FROM, cell).r;
#endif
#ifdef WARMTH
    atom.warmth = imageLoad(WARMTH_FROM, cell).r;
#endif
    return atom;
}

// What lies at a place that may be outside: a wall, or what is there on the torus.
Atom atom_around(ivec2 at)
{
    ivec2 frame = frame_size(size);
    return is_outside(at, frame) ? OUTSIDE : atom_at(inside_world(at, frame));
}

#ifdef TO
void put(ivec2 at, Atom atom)
{
    ivec2 cell = to_world(at, size);
    imageStore(TO, cell, uvec4(word_of(atom)));
#ifdef TRACE
    imageStore(TRACE_TO, cell, uvec4(atom.origin));
#endif
#ifdef WARMTH
    imageStore(WARMTH_TO, cell, uvec4(atom.warmth));
#endif
}
#endif
