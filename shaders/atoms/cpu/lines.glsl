// Layout of fall, rise and glide: each invocation works along a whole line, from its front to its back, and changes it
// in place. Sleeping tiles are skipped: atoms in them have no speed and rest on something.
// Stores here are unconditional: on software OpenGL a store that only some lanes make costs ten times one that all
// make.
#define WHOLE_LINES
#include "atoms/march.glsl"
#include "atoms/lookahead.glsl"
#include "atoms/tiles_of_line.glsl"
#include "atoms/waking.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// The state ahead of index `from` if all tiles ahead sleep: every atom there that could move is supported. Only
// solids, and atoms that never move by themselves, may lie over an empty cell.
Ahead ahead_of_rest(int line, int from, Ahead ahead_of_last)
{
    Scan scan = SCAN_NOTHING;
    for (int index = from; index < line_length() && !scan.known; index++) {
        Step step = step_at(line, index);
        bool rests = step.kind == STEP_MOVER && step.value > 0;
        scan = longer_ahead(scan, scan_of(rests ? Step(STEP_BLOCK, HARD_ATOM) : step));
    }
    return seen_through(scan, ahead_of_last);
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
    Atom held[REACH]; // atoms that have passed the seam of a ring wait until their new cells have been processed
    for (int i = 0; i < REACH; i++)
        held[i] = EMPTY;
    int walked = length;                      // all indices from here on are processed
    Atom beyond = atom_in_line(line, length); // the cell ahead of the next one, in its old state
    int tile = awake_behind(lines, is_reversed() ? -1 : tiles_along());
    if (RING && is_freed(line, length, ahead))
        tile = front_tile();
    while (tile >= 0) {
        ivec2 range = range_of(tile);
        if (range.y < walked) {
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
            bool lands = landing < length;
            put(at, EMPTY);
            put(place(line, lands ? landing : index), lands ? atom : EMPTY);
            if (RING)
                for (int i = 0; i < REACH; i++)
                    if (landing == length + i)
                        held[i] = atom;
            if (EDGES == EDGES_OPEN && !lands)
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
    for (int i = 0; RING && i < min(REACH, length); i++)
        if (!is_empty(held[i]))
            put(place(line, i), held[i]);
}

void main()
{
    int lines = listed();
    int line = lines * (ACROSS ? TILE.y : TILE.x) + int(gl_LocalInvocationID.x);
    prepare(line);
    if (lines >= 0 && line < line_count())
        walk(line, lines);
}
