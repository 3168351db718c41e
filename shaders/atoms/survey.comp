#version 430
// Compute the scan of each strip of a column as one word: how far an atom above the strip can fall. So an atom knows
// whether the run of atoms below it falls or rests, at any depth. Twin: oracle.atoms.survey.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/unit.glsl"

const bool ACROSS = false;

#include "atoms/line.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

#include "atoms/falling.glsl"

void main()
{
    ivec2 strip = unit();
    ivec2 frame = frame_size(size);
    int first = strip.y * STRIP;
    if (strip.x >= frame.x || first >= frame.y)
        return;
    Scan scan = SCAN_NOTHING;
    int last = min(first + STRIP, frame.y);
    Atom beyond = atom_in_line(strip.x, last);
    for (int index = last - 1; index >= first; index--) {
        ivec2 at = place(strip.x, index);
        Atom atom = atom_at(at);
        scan = longer_behind(scan, step_of(atom, motion_of(atom, at), beyond));
        beyond = atom;
    }
    store_survey(strip, scan_word(scan));
}
