// A line of cells along which atoms move, as steps of a scan. The index grows in the direction of motion. The pass
// defines the functions that have no body here.
#include "generated/strip.glsl"
#include "atoms/cells.glsl"
#include "lib/motion.glsl"
#include "lib/scan.glsl"

const int STRIP = max(STRIP_WIDTH, STRIP_HEIGHT); // cells of a line that one invocation owns

ivec2 place(int line, int index); // in gravity's frame
int line_length();
int line_count();
Motion motion_of(Atom atom, ivec2 at); // along the line
int speed_along(Atom atom);
int hardness(Atom atom);              // of an atom that does not move along the line
bool is_soft(Atom atom, Atom beyond); // the atom is about to sink into the cell ahead, `beyond`

// Test if lines close on themselves: on a torus, but not where they go on in other parts of it.
const bool RING = EDGES == EDGES_WRAP && !(ACROSS ? HALO_ACROSS : HAS_HALO);

// The state ahead of the last cell of a line that does not close on itself. In a part of a world other simulations have
// found it, see gpufluid/cluster/columns.py.
Ahead ahead_of_edge(int line)
{
#ifdef KNOWS_AHEAD
    uint word = load_ahead(ivec2(line, 0)).x;
    return Ahead(int(word & 0xFFu), int(word >> 8));
#else
    if (EDGES == EDGES_OPEN)
        return Ahead(CLEAR, HARD_NONE);
    return Ahead(0, HARD_SOLID);
#endif
}

// An atom as a step of the scan; `beyond` is the cell ahead of it.
Step step_of(Atom atom, Motion motion, Atom beyond)
{
    if (is_empty(atom))
        return Step(STEP_EMPTY, 0);
    if (is_solid(atom))
        return Step(STEP_BLOCK, HARD_SOLID);
    if (!motion.moves)
        return Step(STEP_BLOCK, hardness(atom));
    if (is_soft(atom, beyond))
        return Step(STEP_BLOCK, HARD_SOFT);
    return Step(STEP_MOVER, motion.wish);
}

// The atom at an index of a line, which may be one past its end: there nothing, on a torus the line's first atom, and
// in a part of a world the atom ahead of the part.
Atom atom_in_line(int line, int index)
{
    bool past = index >= line_length();
    Atom atom = atom_at(place(line, past ? 0 : index));
#ifdef KNOWS_AHEAD
    return past ? atom_from(load_ahead(ivec2(line, 0)).y) : atom;
#else
    return past && !RING ? EMPTY : atom;
#endif
}

// A cell as a step of the scan, where no powder is about to sink.
Step step_at(int line, int index)
{
    ivec2 at = place(line, index);
    Atom atom = atom_at(at);
    return step_of(atom, motion_of(atom, at), EMPTY);
}

// A cell of a sleeping tile as a step of the scan. Only solids, and atoms that never move by themselves, may lie over
// an empty cell: an atom that could move is supported.
Step resting_step(int line, int index)
{
    Step step = step_at(line, index);
    return step.kind == STEP_MOVER && step.value > 0 ? Step(STEP_BLOCK, HARD_ATOM) : step;
}
