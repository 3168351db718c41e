// Motion along lines, shared by fall, rise and glide. Law: each line is permuted, no atom overtakes another, and every
// atom that passes an open edge is counted. Twin: oracle/atoms/march.py.
// Two layouts: cpu/lines.glsl for processors, strips.glsl for GPUs. The pass defines the functions that have no body
// here and in line.glsl.
#include "generated/count_carried.glsl"
#include "generated/ledger.glsl"
#include "atoms/line.glsl"
#include "atoms/put.glsl"

void prepare(int line);                     // before anything else
void set_speed(inout Atom atom, int speed); // along the line
// The atom runs into an obstacle, after it has moved by so many cells.
void strike(inout Atom atom, int hard, int free, ivec2 at);
void advance(inout Atom atom, ivec2 at); // the atom moves and runs into nothing
Ahead ahead_of_line(int line);           // of the line's last cell

// Count an atom that has left over an open edge from a place.
void count_gone(Atom atom, ivec2 at)
{
    if (!is_own(at))
        return;
    count_left_atom(uint(atom.material), tick);
    count_carried_left(uint(atom.material), atom.carried);
}

// Move one atom; `beyond` is the cell ahead of it, in its old state. Returns the number of cells that it moves.
int moved(inout Atom atom, inout Ahead ahead, Atom beyond, ivec2 at)
{
    Motion motion = motion_of(atom, at);
    Step step = step_of(atom, motion, beyond);
    Ahead after = ahead_after(ahead, step);
    bool goes = step.kind == STEP_MOVER;
    if (!is_solid(atom))
        set_speed(atom, motion.speed);
    if (goes && after.hard != HARD_NONE)
        strike(atom, after.hard, after.free, at);
    if (goes && after.hard == HARD_NONE && after.free > 0)
        advance(atom, at);
    ahead = after;
    return goes ? after.free : 0;
}
