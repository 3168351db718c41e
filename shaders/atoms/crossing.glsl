// Drains before motion, shared by drain_falling, drain_rising and drain_gliding. Law: before fall, rise or glide moves
// atoms, a drain that takes everything removes each atom that would come to a cell of the drain in that pass, whether
// the atom would stop there or move on. The atom nearest to the drain is removed first. The cells of removed atoms
// count as empty for the atoms behind them, and so do the cells of the drain. Every removed atom is counted. Twin:
// oracle/atoms/crossing.py. The pass defines the functions that have no body here and in line.glsl.
#include "generated/count_carried.glsl"
#include "generated/ledger.glsl"
#include "atoms/line.glsl"
#include "atoms/put.glsl"
#include "atoms/waking.glsl"
#include "lib/ports.glsl"

const uint CERTAIN = 1u << 31; // a probability of 1

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void prepare(int line); // before anything else
bool is_reversed();     // true if the index decreases as the frame's coordinate grows

bool is_in(Port port, ivec2 at)
{
    ivec2 cell = to_world(at, size) - port.at, turns = frame_size(HALO_TURNS), whole = whole_size();
    if (turns.x > 1)
        cell.x = int(uint(cell.x + turns.x * whole.x) % uint(whole.x));
    if (turns.y > 1)
        cell.y = int(uint(cell.y + turns.y * whole.y) % uint(whole.y));
    return all(greaterThanEqual(cell, ivec2(0))) && all(lessThan(cell, port.size));
}

void take(Atom atom, ivec2 at)
{
    put(at, EMPTY);
    note_change(CHANGED, at);
    if (!is_own(at))
        return;
    mark_active(tick);
    count_drained_atom(uint(atom.material), tick);
    count_carried_drained(uint(atom.material), atom.carried);
}

// Remove the atoms of a line that come to the drain; `first` is the index of the first cell of the drain in the line.
void take_from_line(Port port, int line, int first)
{
    Ahead ahead = Ahead(CLEAR, HARD_NONE);
    Atom beyond = EMPTY;
    for (int steps = 1; steps <= min(REACH, line_length() - 1) && ahead.free >= min(steps, CLEAR); steps++) {
        int index = first - steps;
        if (index < 0 && !RING)
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

// The invocation that owns the first cell of the drain in a line works on that line. A solid there closes the drain.
void main()
{
    Port port = served_port();
    if (!has_cell(port) || port.atom_chance < CERTAIN)
        return;
    ivec2 at = to_frame(owned_cell(port), size);
    int line = ACROSS ? at.y : at.x, along = ACROSS ? at.x : at.y;
    prepare(line);
    int index = is_reversed() ? line_length() - 1 - along : along;
    int behind = index == 0 && RING ? line_length() - 1 : index - 1;
    if (behind >= 0 && !is_in(port, place(line, behind)) && !is_solid(atom_at(at)))
        take_from_line(port, line, index);
}
