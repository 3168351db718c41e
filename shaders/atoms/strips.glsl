// Layout of fall, rise and glide: each invocation owns a strip of a line and writes all of its new state, from the old
// state alone.
#include "atoms/march.glsl"

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

// Fill the strip of a line that begins at index `first`.
void march(int line, int first)
{
    int length = line_length();
    int last = min(first + STRIP, length);
    Ahead ahead = ahead_of_strip(line, last);
    bool is_active = false;
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
            count_gone(atom);
        is_active = is_active || !stays || atom.velocity != ivec2(0);
    }
    if (is_active)
        mark_active(tick);
    // Atoms that come from behind the strip, up to the first atom that stays short of it.
    bool more = true;
    int farthest = EDGES == EDGES_WRAP ? max(first - REACH, -length) : max(first - REACH, 0);
    for (int index = first - 1; more && index >= farthest; index--) {
        if (index == -1)
            ahead = ahead_of_line(line);
        ivec2 at = place(line, index < 0 ? index + length : index);
        Atom old = atom_at(at), atom = old;
        bool empty = is_empty(atom);
        int landing = index + moved(atom, ahead, beyond, at);
        beyond = old;
        more = empty || (landing >= first && landed(atom, line, landing, first, last));
    }
}

void main()
{
    int line = invocation().x, first = invocation().y * STRIP;
    prepare(line);
    if (line < line_count() && first < line_length())
        march(line, first);
}
