#version 430
// A drain of rule atoms: removes each movable atom in its cells, with a chance. Solids stay. Law: every atom removed is
// counted. Twin: oracle.atoms.drain.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/count_carried.glsl"
#include "generated/ledger.glsl"
#include "atoms/put.glsl"
#include "atoms/waking.glsl"
#include "lib/ports.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    Port port = served_port();
    if (!owns_cell(port))
        return;
    ivec2 at = to_frame(owned_cell(port), size);
    Atom atom = atom_at(at);
    if (port.atom_chance == 0u || !is_mobile(atom) || is_amount(atom.material))
        return;
    mark_active(tick);
    note_change(CHANGED, at);
    if (noise(at, USE_DRAIN + port_number()).x >> 1 >= port.atom_chance)
        return;
    put(at, EMPTY);
    count_drained_atom(uint(atom.material), tick);
    count_carried_drained(uint(atom.material), atom.carried);
}
