// The march of atoms along lines: what fall, rise and glide have in common. Twin: oracle/atoms/march.py.
// Law: a permutation of each line in which no atom overtakes another; what passes an open edge is counted.
// One invocation owns a strip of a line and writes all of it, from the old state alone.
// Whoever includes it defines what stands here without a body, and in line.glsl.
#define FROM cells_read
#define TO cells_write
#define TRACE_FROM trace_read
#define TRACE_TO trace_write
#include "generated/ledger.glsl"
#include "atoms/line.glsl"

void set_speed(inout Atom atom, int speed);       // along the line
void strike(inout Atom atom, int hard, ivec2 at); // it has come up against something
Ahead ahead_of_strip(int line, int last);         // of the cell before index `last`
Ahead ahead_of_line(int line);                    // of the line's last cell

// What lies ahead of a line's last cell where the line does not close on itself.
Ahead ahead_of_edge()
{
    if (EDGES == EDGES_OPEN)
        return Ahead(CLEAR, HARD_NOT);
    return Ahead(0, HARD_SOLID);
}

// Move one atom. Returns how many cells.
int moved(inout Atom atom, inout Ahead ahead, ivec2 at)
{
    Motion motion = motion_of(atom);
    Step step = step_of(atom, motion);
    Ahead after = ahead_after(ahead, step);
    bool goes = step.kind == STEP_MOVER;
    if (!is_solid(atom))
        set_speed(atom, motion.speed);
    if (goes && after.hard != HARD_NOT)
        strike(atom, after.hard, at);
    ahead = after;
    return goes ? after.free : 0;
}

// Put an atom that has moved into its cell, if that is the strip's. Returns whether atoms farther back may land there.
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
    for (int index = last - 1; index >= first; index--) {
        ivec2 at = place(line, index);
        Atom atom = atom_at(at);
        int landing = index + moved(atom, ahead, at);
        bool stays = landing == index;
        put(at, stays ? atom : EMPTY); // an atom from behind may still come to an empty cell
        if (!stays)
            landed(atom, line, landing, first, last);
        if (EDGES == EDGES_OPEN && landing >= length)
            count_left_atom(uint(atom.material), tick);
        if (!stays || atom.velocity != ivec2(0))
            note_stir(tick);
    }
    // What comes from behind the strip, until there is an atom that stays short of it.
    bool more = true;
    int farthest = EDGES == EDGES_WRAP ? max(first - REACH, -length) : max(first - REACH, 0);
    for (int index = first - 1; more && index >= farthest; index--) {
        if (index == -1)
            ahead = ahead_of_line(line);
        ivec2 at = place(line, index < 0 ? index + length : index);
        Atom atom = atom_at(at);
        bool empty = is_empty(atom);
        int landing = index + moved(atom, ahead, at);
        more = empty || (landing >= first && landed(atom, line, landing, first, last));
    }
}
