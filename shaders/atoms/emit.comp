#version 430
// An emitter of rule atoms: each of its empty cells gets an atom with a velocity, with a chance. Law: every atom added
// is counted. Twin: oracle.atoms.emit. Source: seed 004, the "Water Spray spell".
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/count_carried.glsl"
#include "generated/emitted.glsl"
#include "generated/ledger.glsl"
#include "atoms/put.glsl"
#include "atoms/waking.glsl"
#include "lib/ports.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// Two numbers from -scatter to scatter.
ivec2 scattered(uvec2 words, int scatter) { return ivec2((words >> 16) * uint(2 * scatter + 1) >> 16) - scatter; }

void main()
{
    Port port = served_port();
    if (!owns_cell(port))
        return;
    ivec2 at = to_frame(owned_cell(port), size);
    uvec4 words = noise(at, USE_EMIT + port_number());
    if (port.atom_chance == 0u || !is_empty(atom_at(at)))
        return;
    mark_active(tick);
    note_change(CHANGED, at);
    if (words.x >> 1 >= port.atom_chance)
        return;
    Atom atom = EMPTY;
    atom.material = port.material;
    atom.velocity = turned_to_frame(port.velocity) + scattered(words.yz, port.scatter);
    atom.velocity = clamp(atom.velocity, ivec2(-SPEED_LIMIT), ivec2(SPEED_LIMIT));
    atom.grain = words.w & 0xFFu;
    atom.carried = emitted_carried(port);
    begin_trace(atom.carried, owned_cell(port));
    put(at, atom);
    count_emitted_atom(uint(port.material), tick);
    count_carried_emitted(uint(port.material), atom.carried);
}
