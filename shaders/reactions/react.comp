#version 430
// What lies side by side reacts, as the table of reactions says.
// Law: each 2x2 block (Margolus neighbourhood) is changed by the invocation that owns it: first its upper two atoms,
// then the lower two, then those of the near column and of the far one; a coin says which column is near. What goes and
// what comes is counted. Twin: oracle.reactions.react. Source: seed 002, "Fire Physics", "Corrosion Physics"; Toffoli &
// Margolus 1987, ch. 12.
#include "generated/images.glsl"
#include "reactions/reacting.glsl"
#include "lib/partition.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// Whether a block that begins there has cells of the world; on a torus the one that begins one before the edge is the
// last one too.
bool is_block(ivec2 at)
{
    int past = EDGES == EDGES_WRAP ? 1 : 0;
    return at.x + past < frame_size(size).x && at.y + past < frame_size(size).y;
}

// What moves is driven away from the block's middle: to a side and up or down, -1 or 1 each.
Piece pushed(Piece piece, ivec2 way, int push)
{
    bool moves = STATE_OF[min(material_of(piece.word), NUMBERS - 1u)] >= STATE_POWDER;
    ivec2 velocity = clamp(velocity_of(piece.word) + turned_to_world(way) * push, -SPEED_LIMIT, SPEED_LIMIT);
    uint word = cell_word(material_of(piece.word), velocity, grain_of(piece.word));
    piece.word = moves && push > 0 ? word : piece.word;
    return piece;
}

void main()
{
    ivec2 at = 2 * invocation() - partition_offset(tick, seed, uint(USE_MEET));
    if (!is_block(at))
        return;
    uvec4 words = noise(at, tick, seed, uint(USE_REACT));
    int near = int(words.x >> 31), side = 1 - 2 * near; // the way from the near column to the far one
    ivec2 left = at + ivec2(near, 0), right = at + ivec2(1 - near, 0), down = ivec2(0, 1);
    Piece a = piece_at(left), b = piece_at(right), c = piece_at(left + down), d = piece_at(right + down);
    uvec4 grains = words.wwww >> uvec4(0, 8, 16, 24) & 0xFFu;
    could = false;
    int push = meet(a, b, int(words.y & 0xFFFFu), grains.xy);
    push = max(push, meet(c, d, int(words.y >> 16), grains.zw));
    push = max(push, meet(a, c, int(words.z & 0xFFFFu), grains.xz));
    push = max(push, meet(b, d, int(words.z >> 16), grains.yw));
    a = pushed(a, ivec2(-side, -1), push);
    b = pushed(b, ivec2(side, -1), push);
    c = pushed(c, ivec2(-side, 1), push);
    d = pushed(d, ivec2(side, 1), push);
    put_piece(left, a);
    put_piece(right, b);
    put_piece(left + down, c);
    put_piece(right + down, d);
    if (could)
        note_stir(tick);
    bool stirred = counted(a);
    stirred = counted(b) || stirred;
    stirred = counted(c) || stirred;
    stirred = counted(d) || stirred;
    if (stirred)
        note_changes(CHANGED, at - ivec2(0, MARGIN), at, at + ivec2(0, 1 + MARGIN), ivec2(MARGIN + 1, 0));
}
