// Layout of fall, rise and glide: each invocation owns the part of a line that lies in one tile, and writes all of its
// new state, from the old state alone.
#include "generated/unit.glsl"
#include "atoms/march.glsl"
#include "atoms/tiles_of_line.glsl"
#include "atoms/waking.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

Ahead ahead_of_strip(int line, int last); // of the cell before index `last`

// Store an atom in the cell in which it lands, if the strip owns that cell. Returns whether atoms farther back may land
// in the strip.
bool landed(Atom atom, int line, int landing, int first, int last)
{
    if (landing >= first && landing < last)
        put(place(line, landing), atom);
    return landing > first;
}

// Note that the cells from one index to another have changed, or hold atoms with a speed.
void note_indices(int line, int first, int lowest, int highest)
{
    ivec2 across = ACROSS ? ivec2(0, MARGIN) : ivec2(MARGIN, 0);
    if (highest >= lowest)
        note_changes(CHANGED, place(line, lowest - MARGIN), place(line, first), place(line, highest + MARGIN), across);
}

// Fill the strip of a line from index `first` up to, but not including, `last`.
void march(int line, int first, int last)
{
    int length = line_length();
    Ahead ahead = ahead_of_strip(line, last);
    bool is_active = false;
    int lowest = length, highest = -1; // the indices of the strip to note
    Atom beyond = atom_in_line(line, last);
    for (int index = last - 1; index >= first; index--) {
        ivec2 at = place(line, index);
        Atom old = atom_at(at), atom = old;
        int landing = index + moved(atom, ahead, beyond, at);
        beyond = old;
        bool stays = landing == index;
        put(at, stays ? atom : EMPTY); // an atom from behind may still come to an empty cell
        if (!stays)
            landed(atom, line, landing, first, last);
        if (EDGES == EDGES_OPEN && landing >= length)
            count_gone(atom, at);
        bool in_motion = !stays || atom.velocity != ivec2(0);
        is_active = is_active || (in_motion && is_own(at));
        bool changes = in_motion || old.velocity != ivec2(0); // an atom that has come to rest has changed, too
        lowest = changes ? index : lowest;
        highest = changes ? max(highest, min(landing, last - 1)) : highest;
    }
    if (is_active)
        mark_active(tick);
    // Atoms that come from behind the strip, up to the first atom that stays short of it.
    bool more = true;
    int farthest = RING ? max(first - REACH, -length) : max(first - REACH, 0);
    for (int index = first - 1; more && index >= farthest; index--) {
        if (index == -1)
            ahead = ahead_of_line(line);
        ivec2 at = place(line, index < 0 ? index + length : index);
        Atom old = atom_at(at), atom = old;
        bool empty = is_empty(atom);
        int landing = index + moved(atom, ahead, beyond, at);
        beyond = old;
        more = empty || (landing >= first && landed(atom, line, landing, first, last));
        bool enters = !empty && landing >= first;
        lowest = enters ? min(lowest, first) : lowest;
        highest = enters ? max(highest, min(landing, last - 1)) : highest;
    }
    note_indices(line, first, lowest, highest);
}

void main()
{
    ivec2 strip = unit();
    prepare(strip.x); // first, because it can pick the direction of the line
    ivec2 range = range_of(strip.y);
    if (strip.x < line_count() && range.x < range.y)
        march(strip.x, range.x, range.y);
}
