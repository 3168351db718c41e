// Layout of settle: each invocation works up a column of blocks and changes them in place. From the bottom up, so that
// the atoms above a block are still in their old state when the block has its turn.
#include "atoms/blocks.glsl"
#include "atoms/waking.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// Test if `here` is true in any invocation of a vector; always true where OpenGL cannot tell. So the lanes of a vector
// store alike, or leave it out alike: a store that only some lanes make costs eleven times as much.
// The shader that includes this file has the line `#extension`; drivers define the macro even without it.
#ifdef GL_ARB_shader_group_vote
bool any_together(bool here) { return anyInvocationARB(here); }
#else
bool any_together(bool here) { return true; }
#endif

// The first and the last row of an event in a column of blocks; without any, `last` is -1.
struct Rows {
    int first;
    int last;
};

const Rows NONE = Rows(0x7FFFFFFF, -1);

void add_block(inout Rows rows, bool there, int row)
{
    rows.first = there ? min(rows.first, row) : rows.first;
    rows.last = there ? max(rows.last, row + 1) : rows.last;
}

// `within` is a row of the tile in which the rows lie.
void note_rows(int layer, Rows rows, int column, int within)
{
    ivec2 from = ivec2(column, rows.first - MARGIN), to = ivec2(column, rows.last + MARGIN);
    if (rows.last >= 0)
        note_changes(layer, from, ivec2(column, within), to, ivec2(MARGIN + 1, 0)); // a block is two columns wide
}

// Settle the blocks of a column from row `last` up to row `first`. `over_first` are the two atoms over block row 0.
void settle_rows(int column, int first, int last, Piece over_left, Piece over_right)
{
    Rows unsettled_rows = NONE, changed_rows = NONE;
    bool is_active = false;
    ivec2 right = ivec2(1, 0), down = ivec2(0, 1);
    ivec2 at = first_of(ivec2(column, last));
    int x = at.x;
    Piece lower_left = piece_at(at + down), lower_right = piece_at(at + right + down);
    for (int row = last; row >= first; row--) {
        at = first_of(ivec2(column, row));
        Piece a = piece_at(at), b = piece_at(at + right), c = lower_left, d = lower_right;
        lower_left = piece_at(at - down); // of the next block up; here it lies above this block
        lower_right = piece_at(at + right - down);
        uvec4 before = uvec4(a.atom.word, b.atom.word, c.atom.word, d.atom.word);
        bool around = EDGES == EDGES_WRAP && row == 0;
        bool a_loaded = around ? is_heavy(over_left) : is_heavy(lower_left);
        bool b_loaded = around ? is_heavy(over_right) : is_heavy(lower_right);
        uvec4 words = words_for(at);
        int near = near_column(words);
        bool turned = near == 1;
        exchange(a, b, turned);
        exchange(c, d, turned);
        unsettled = changed = false;
        settle_block(a, b, c, d, turned ? b_loaded : a_loaded, turned ? a_loaded : b_loaded, near, words);
        exchange(a, b, turned);
        exchange(c, d, turned);
        // Cohesion alters speeds where nothing moves, and atoms with equal words can change places with unequal heat.
        uvec4 altered = before ^ uvec4(a.atom.word, b.atom.word, c.atom.word, d.atom.word);
        if (any_together(changed || (altered.x | altered.y | altered.z | altered.w) != 0u)) {
            put_packed(at, a.atom);
            put_packed(at + right, b.atom);
            put_packed(at + down, c.atom);
            put_packed(at + right + down, d.atom);
        }
        add_block(unsettled_rows, unsettled, at.y);
        add_block(changed_rows, changed, at.y);
        is_active = is_active || (unsettled && is_own_block(at));
    }
    if (is_active)
        mark_active(tick);
    note_rows(UNSETTLED, unsettled_rows, x, first * 2);
    note_rows(CHANGED, changed_rows, x, first * 2);
}

void main()
{
    int lines = listed();
    int column = lines * TILE.x / 2 + int(gl_LocalInvocationID.x);
    ivec2 top = first_of(ivec2(column, 0));
    if (lines < 0 || !is_block(top, frame_size(size)))
        return;
    int past = EDGES == EDGES_WRAP ? 1 : 0;
    int bottom = (frame_size(size).y - 1 - past - top.y) / 2; // the last block of the column
    Piece over_left = piece_at(top - ivec2(0, 1)), over_right = piece_at(top + ivec2(1, -1));
    int words = (tile_grid.y + 31) >> 5;
    int tile = awake_up_to(lines, words, tile_grid.y - 1);
    while (tile >= 0) {
        int first = tile * TILE.y / 2;
        settle_rows(column, first, min(first + TILE.y / 2 - 1, bottom), over_left, over_right);
        tile = awake_up_to(lines, words, tile - 1);
    }
}
