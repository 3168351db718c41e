#version 430
// An emitter of rule atoms: each of its empty cells, with a chance, gets an atom with a velocity.
// Law: what is added is counted. Twin: oracle.atoms.emit. Source: seed 004, the "Water Spray spell".
#include "generated/images.glsl"
#include "generated/count_carried.glsl"
#include "generated/ledger.glsl"
#include "atoms/put.glsl"
#include "atoms/waking.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform uint number;   // the emitter's place among the world's emitters
uniform ivec2 port_at; // its first cell
uniform ivec2 port_size;
uniform uint atom_chance; // 2**31sts
uniform int matter;       // the material's number
uniform ivec2 velocity;   // 1/16 cell a tick, in the world's directions
uniform int scatter;      // 1/16 cell a tick: how far either component may be from it

// A number from -scatter to scatter.
int scattered(uint word) { return int((word >> 16) * uint(2 * scatter + 1) >> 16) - scatter; }

void main()
{
    ivec2 offset = invocation();
    if (offset.x >= port_size.x || offset.y >= port_size.y)
        return;
    ivec2 at = to_frame(port_at + offset, size);
    uvec4 words = noise(at, USE_EMIT + number);
    if (atom_chance == 0u || !is_empty(atom_at(at)))
        return;
    mark_active(tick);
    note_change(CHANGED, at);
    if (words.x >> 1 >= atom_chance)
        return;
    Atom atom = EMPTY;
    atom.material = matter;
    atom.velocity = turned_to_frame(velocity) + ivec2(scattered(words.y), scattered(words.z));
    atom.velocity = clamp(atom.velocity, ivec2(-SPEED_LIMIT), ivec2(SPEED_LIMIT));
    atom.grain = words.w & 0xFFu;
    atom.carried = emitted_carried();
    begin_trace(atom.carried, port_at + offset);
    put(at, atom);
    count_emitted_atom(uint(matter), tick);
    count_carried_emitted(uint(matter), atom.carried);
}
