// Layout of fall, rise and glide: each invocation works along a whole line, from its front to its back, and changes it
// in place. Sleeping tiles are skipped: atoms in them have no speed and rest on something.
// Each cell is stored once, when no atom can enter it any more, and by all lanes alike: on software OpenGL a store is a
// loop over the lanes of a vector, and one that only some lanes make costs eleven times as much.
#define WHOLE_LINES
#include "atoms/march.glsl"
#include "atoms/lookahead.glsl"
#include "atoms/packed.glsl"
#include "atoms/tiles_of_line.glsl"
#include "atoms/waking.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// The state ahead of index `from` if all tiles ahead sleep.
Ahead ahead_of_rest(int line, int from, Ahead ahead_of_last)
{
    return seen_through(look_at_rest(line, from, line_length(), SCAN_NOTHING), ahead_of_last);
}

const PackedAtom NO_ATOM = PackedAtom(0u, NOTHING_CARRIED);

// The new state of the cells from the last processed index on, which atoms from behind can still enter.
PackedAtom pending[REACH];

PackedAtom packed_atom(Atom atom) { return PackedAtom(stored_word(word_of(atom)), atom.carried); }

void store_atom(ivec2 at, PackedAtom atom)
{
    ivec2 cell = to_world(at, size);
    store_cells(cell, atom.word);
    store_carried(cell, atom.carried);
}

// Put a cell before the pending cells. Returns the last of these, which is pending no more.
PackedAtom push(PackedAtom atom)
{
    PackedAtom last = pending[REACH - 1];
    for (int i = REACH - 1; i > 0; i--)
        pending[i] = pending[i - 1];
    pending[0] = atom;
    return last;
}

// Store the pending cells, the first of which is at an index, if `really`. Indices past the line's end have no cell.
// Software OpenGL executes a loop that need not run for one cell, but a branch in full.
void store_pending(int line, int index, bool really)
{
    for (int i = really ? REACH - 1 : -1; i >= 0; i--) {
        PackedAtom atom = push(NO_ATOM);
        if (index + i < line_length())
            store_atom(place(line, index + i), atom);
    }
}

// Load the cells from an index on, if `really`.
void load_pending(int line, int index, bool really)
{
    for (int i = really ? REACH - 1 : -1; i >= 0; i--) {
        ivec2 cell = to_world(place(line, min(index + i, line_length() - 1)), size);
        push(PackedAtom(load_cells(cell), load_carried(cell)));
    }
}

// Set the tile flags for one tile of a line: the range of indices in which atoms moved or have speed, and whether any
// may rise or glide.
void note_found(int line, ivec2 range, int lowest, int highest, bool rises, bool glides)
{
    ivec2 own = place(line, range.x), ahead = place(line, highest);
    if (highest >= 0) {
        ivec2 across = ACROSS ? ivec2(0, MARGIN) : ivec2(MARGIN, 0);
        note_changes(CHANGED, place(line, lowest - MARGIN), own, place(line, highest + MARGIN), across);
    }
    if (NOTES_RISING && rises)
        note_cell(RISING, own, frame_size(size), tick);
    if (NOTES_RISING && rises && highest >= 0)
        note_cell(RISING, ahead, frame_size(size), tick);
    if (glides)
        note_cell(GLIDING, own, frame_size(size), tick);
    if (glides && highest >= 0)
        note_cell(GLIDING, ahead, frame_size(size), tick);
}

void walk(int line, int lines)
{
    int length = line_length();
    Ahead ahead_of_last = ahead_of_line(line);
    Ahead ahead = ahead_of_last;
    PackedAtom held[REACH]; // atoms that have passed the seam of a ring wait until their new cells have been processed
    for (int i = 0; i < REACH; i++)
        held[i] = pending[i] = NO_ATOM;
    int walked = length;                      // all indices from here on are processed
    Atom beyond = atom_in_line(line, length); // the cell ahead of the next one, in its old state
    int tile = awake_behind(lines, is_reversed() ? -1 : tiles_along());
    if (RING && is_freed(line, length, ahead))
        tile = front_tile();
    while (tile >= 0) {
        ivec2 range = range_of(tile);
        bool skips = range.y < walked;
        store_pending(line, walked, skips);
        load_pending(line, range.y, skips);
        if (skips) {
            ahead = ahead_of_rest(line, range.y, ahead_of_last);
            beyond = atom_in_line(line, range.y);
        }
        int lowest = length, highest = -1;
        bool rises = false, glides = false, is_active = false;
        for (int index = range.y - 1; index >= range.x; index--) {
            ivec2 at = place(line, index);
            Atom old = atom_at(at), atom = old;
            int landing = index + moved(atom, ahead, beyond, at);
            beyond = old;
            PackedAtom moving = packed_atom(atom), last = push(NO_ATOM);
            for (int i = 0; i < REACH; i++)
                if (landing == index + i)
                    pending[i] = moving;
            if (landing == index + REACH)
                last = moving;
            if (index + REACH < length)
                store_atom(place(line, index + REACH), last);
            if (RING)
                for (int i = 0; i < REACH; i++)
                    if (landing == length + i)
                        held[i] = moving;
            if (EDGES == EDGES_OPEN && landing >= length)
                count_gone(atom, at);
            bool in_motion = landing != index || atom.velocity != ivec2(0);
            lowest = in_motion ? index : lowest;
            highest = in_motion ? max(highest, landing) : highest;
            is_active = is_active || (in_motion && is_own(at));
            rises = rises || atom.velocity.y < 0 || pull_of(atom.material) < 0;
            glides = glides || atom.velocity.x != 0;
        }
        walked = range.x;
        if (is_active)
            mark_active(tick);
        note_found(line, range, lowest, highest, rises, glides);
        bool freed = is_freed(line, walked, ahead);
        tile = freed ? tile_behind(tile) : awake_behind(lines, tile);
    }
    store_pending(line, walked, true);
    for (int i = 0; RING && i < min(REACH, length); i++)
        if (!is_empty(held[i]))
            store_atom(place(line, i), held[i]);
}

void main()
{
    int lines = listed();
    int line = lines * (ACROSS ? TILE.y : TILE.x) + int(gl_LocalInvocationID.x);
    prepare(line);
    if (lines >= 0 && line < line_count())
        walk(line, lines);
}
