// Layout of settle: each invocation owns one block and writes its new state into the other texture.
#include "atoms/blocks.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 at = first_of(invocation());
    if (!is_block(at, frame_size(size)))
        return;
    uvec4 words = words_for(at);
    int near = near_column(words);
    ivec2 left = at + ivec2(near, 0), right = at + ivec2(1 - near, 0), down = ivec2(0, 1);
    Piece a = piece_at(left), b = piece_at(right), c = piece_at(left + down), d = piece_at(right + down);
    bool a_loaded = is_heavy(piece_at(left - down)), b_loaded = is_heavy(piece_at(right - down));
    unsettled = false;
    settle_block(a, b, c, d, a_loaded, b_loaded, near, words);
    if (unsettled)
        mark_active(tick);
    put_packed(left, a.atom);
    put_packed(right, b.atom);
    put_packed(left + down, c.atom);
    put_packed(right + down, d.atom);
}
