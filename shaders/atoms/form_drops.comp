#version 430
// Change the velocities of atoms of a liquid that fall freely, toward the sides that find_drops has found. Law: only
// velocities change, by DROP_PUSH along each axis; an atom that falls goes on falling. Twin: oracle.atoms.form_drops.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "atoms/cells.glsl"
#include "atoms/drops.glsl"
#include "generated/strip.glsl"
#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const int STRIP = max(STRIP_WIDTH, STRIP_HEIGHT); // rows of a column that one invocation owns

void main()
{
    ivec2 strip = unit(), frame = frame_size(size);
    if (strip.x >= frame.x || strip.y * STRIP >= frame.y)
        return;
    uvec4 drops = load_drops(strip);
    for (int word = 0; word < 4; word++)
        while (drops[word] != 0u) {
            int row = findLSB(drops[word]) / 4;
            uint bits = drops[word] >> 4 * row & 15u;
            drops[word] ^= bits << 4 * row;
            ivec2 at = ivec2(strip.x, strip.y * STRIP + word * ROWS_OF_WORD + row);
            Atom atom = atom_at(at);
            atom.velocity.x = bounded_speed(atom.velocity.x + DROP_PUSH * side_of_bits(bits & 3u));
            atom.velocity.y = bounded_speed(atom.velocity.y + DROP_PUSH * side_of_bits(bits >> 2));
            store_cells(to_world(at, size), word_of(atom)); // what the atom carries does not change
            if (is_own(at))
                mark_active(tick);
        }
}
