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

void set_speed(inout Atom atom, int speed);          // along the line
void strike(inout Atom atom, int hard, ivec2 at);    // it has come up against something
Ahead ahead_of_strip(int line, int last);            // of the cell before index `last`
Ahead ahead_of_line(int line);                       // of the line's last cell

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

void clear(int line, int from, int to)
{
    for (int index = from; index >= to; index--)
        put(place(line, index), EMPTY);
}

// Fill the strip of a line that begins at index `first`.
void march(int line, int first)
{
    int length = line_length();
    int last = min(first + STRIP, length);
    int unwritten = last - 1; // all above is written
    Ahead ahead = ahead_of_strip(line, last);
    for (int index = last - 1; unwritten >= first && index >= max(first - REACH, -length); index--) {
        if (index == -1) {
            if (EDGES != EDGES_WRAP)
                break;
            ahead = ahead_of_line(line);
        }
        ivec2 at = place(line, index < 0 ? index + length : index);
        Atom atom = atom_at(at);
        if (is_empty(atom)) {
            ahead = ahead_after(ahead, Step(STEP_EMPTY, 0));
            continue;
        }
        int landing = index + moved(atom, ahead, at);
        if (landing < first)
            break;
        if (landing < last) {
            clear(line, unwritten, landing + 1);
            put(place(line, landing), atom);
            unwritten = landing - 1;
        } else if (landing >= length && index >= first && EDGES == EDGES_OPEN) {
            count_left_atom(uint(atom.material), tick);
        }
    }
    clear(line, unwritten, first);
}
