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
int hardness(Atom atom); // of an atom that does not move along the line

// An atom as a step of the scan.
Step step_of(Atom atom, Motion motion)
{
    if (is_empty(atom))
        return Step(STEP_EMPTY, 0);
    if (is_solid(atom))
        return Step(STEP_BLOCK, HARD_SOLID);
    if (!motion.moves)
        return Step(STEP_BLOCK, hardness(atom));
    return Step(STEP_MOVER, motion.wish);
}

Step step_at(int line, int index)
{
    ivec2 at = place(line, index);
    Atom atom = atom_at(at);
    return step_of(atom, motion_of(atom, at));
}
