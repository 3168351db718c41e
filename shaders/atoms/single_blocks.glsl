// Layout of settle: each invocation owns some blocks of a column and writes their new state into the other texture.
#include "generated/strip.glsl"
#include "generated/unit.glsl"
#include "atoms/blocks.glsl"
#include "atoms/waking.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const int BLOCKS = STRIP_HEIGHT / 2;

// Set a tile flag in all tiles with cells at most MARGIN cells away from a rectangle of cells, which is no larger than
// a tile. Without a loop over these one, two or four tiles: NVIDIA's driver 580.159 leaves out the second iteration.
void note_around(int layer, ivec2 from, ivec2 to)
{
    ivec2 cells = frame_size(size);
    ivec2 first = tile_with(from - MARGIN, cells), last = tile_with(to + MARGIN, cells);
    note_tile(layer, first);
    note_tile(layer, ivec2(last.x, first.y));
    note_tile(layer, ivec2(first.x, last.y));
    note_tile(layer, last);
}

void settle_at(ivec2 at)
{
    uvec4 words = words_for(at);
    int near = near_column(words);
    ivec2 left = at + ivec2(near, 0), right = at + ivec2(1 - near, 0), down = ivec2(0, 1);
    Piece a = piece_at(left), b = piece_at(right), c = piece_at(left + down), d = piece_at(right + down);
    bool a_loaded = is_heavy(piece_at(left - down)), b_loaded = is_heavy(piece_at(right - down));
    settle_block(a, b, c, d, a_loaded, b_loaded, near, words);
    put_packed(left, a.atom);
    put_packed(right, b.atom);
    put_packed(left + down, c.atom);
    put_packed(right + down, d.atom);
}

void main()
{
    ivec2 first = first_of(unit() * ivec2(1, BLOCKS));
    unsettled = changed = false;
    bool own = false; // a block that can change has own cells
    for (int row = 0; row < BLOCKS; row++) {
        ivec2 at = first + ivec2(0, 2 * row);
        bool before = unsettled;
        unsettled = false;
        if (is_block(at, frame_size(size)))
            settle_at(at);
        own = own || (unsettled && is_own_block(at));
        unsettled = unsettled || before;
    }
    if (own)
        mark_active(tick);
    if (unsettled) { // so is every block that has changed; either flag keeps the tile awake for settle
        note_around(changed ? CHANGED : UNSETTLED, first, first + ivec2(1, 2 * BLOCKS - 1));
    }
}
