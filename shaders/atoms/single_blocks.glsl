// A kernel of settle: each invocation owns one block, and the new state is written beside the old one.
#include "atoms/blocks.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 at = first_of(invocation());
    if (!is_block(at))
        return;
    uvec4 words = words_for(at);
    int near = near_column(words);
    ivec2 left = at + ivec2(near, 0), right = at + ivec2(1 - near, 0), down = ivec2(0, 1);
    Atom a = atom_around(left), b = atom_around(right), c = atom_around(left + down), d = atom_around(right + down);
    bool a_loaded = is_heavy(atom_around(left - down)), b_loaded = is_heavy(atom_around(right - down));
    unsettled = false;
    settle_block(a, b, c, d, a_loaded, b_loaded, near, words);
    if (unsettled)
        note_stir(tick);
    put_around(left, a);
    put_around(right, b);
    put_around(left + down, c);
    put_around(right + down, d);
}
