// Atoms that come to a drain in one pass of motion, shared by drain_falling, drain_rising and drain_gliding. Law:
// before the pass moves atoms, a drain that takes everything takes each atom that the pass would bring into a cell of
// the drain, whether the atom would stop there or pass the drain. The foremost goes first; what is taken makes room for
// the next, and what lies in the drain is in nobody's way. Every atom removed is counted. Twin:
// oracle/atoms/crossing.py. The pass defines the functions that have no body in line.glsl.
#include "generated/count_carried.glsl"
#include "generated/ledger.glsl"
#include "atoms/line.glsl"
#include "atoms/put.glsl"
#include "atoms/waking.glsl"
#include "lib/ports.glsl"

const uint CERTAIN = 1u << 31; // a probability of 1

bool is_reversed(); // true if the index decreases as the frame's coordinate grows

bool is_in(Port port, ivec2 at)
{
    ivec2 cell = to_world(at, size) - port.at;
    return all(greaterThanEqual(cell, ivec2(0))) && all(lessThan(cell, port.size));
}

void take(Atom atom, ivec2 at)
{
    put(at, EMPTY);
    mark_active(tick);
    note_change(CHANGED, at);
    count_drained_atom(uint(atom.material), tick);
    count_carried_drained(uint(atom.material), atom.carried);
}

// Take the atoms that come to the drain in a line; `mouth` is the index of the drain's first cell in it.
void take_from_line(Port port, int line, int mouth)
{
    Ahead ahead = Ahead(CLEAR, HARD_NONE);
    Atom beyond = EMPTY;
    for (int steps = 1; steps <= min(REACH, line_length() - 1) && ahead.free >= min(steps, CLEAR); steps++) {
        int index = mouth - steps;
        if (index < 0 && EDGES != EDGES_WRAP)
            return;
        ivec2 at = place(line, index < 0 ? index + line_length() : index);
        if (is_in(port, at))
            return;
        Atom atom = atom_at(at);
        Step step = step_of(atom, motion_of(atom, at), beyond);
        bool comes = step.kind == STEP_MOVER && min(step.value, ahead.free) >= steps;
        if (comes)
            take(atom, at);
        ahead = ahead_after(ahead, comes ? Step(STEP_EMPTY, 0) : step);
        beyond = comes ? EMPTY : atom;
    }
}

// The invocation that owns the drain's first cell in a line works on that line; a solid there closes the drain.
void take_crossing(Port port, ivec2 at, int line)
{
    int along = ACROSS ? at.x : at.y, index = is_reversed() ? line_length() - 1 - along : along;
    int behind = index == 0 && EDGES == EDGES_WRAP ? line_length() - 1 : index - 1;
    if (behind >= 0 && !is_in(port, place(line, behind)) && !is_solid(atom_at(at)))
        take_from_line(port, line, index);
}
