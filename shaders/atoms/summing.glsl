// Sums of the strips of lines, shared by sum_falling, sum_rising and sum_gliding: the scan of a strip as one word, and
// the word of the cell at its back. gpufluid/cluster/columns.py joins them. The including file defines the functions
// that have no body in line.glsl.
#include "generated/unit.glsl"
#include "atoms/line.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void prepare(int line); // before anything else
bool is_reversed();     // true if the index decreases as the frame's coordinate grows

void main()
{
    ivec2 strip = unit();
    prepare(strip.x); // first, because it can pick the direction of the line
    ivec2 cells = min(ivec2(strip.y, strip.y + 1) * STRIP, line_length());
    if (strip.x >= line_count() || cells.x >= cells.y)
        return;
    ivec2 range = is_reversed() ? line_length() - cells.yx : cells;
    Scan scan = SCAN_NOTHING;
    Atom beyond = atom_in_line(strip.x, range.y);
    for (int index = range.y - 1; index >= range.x; index--) {
        ivec2 at = place(strip.x, index);
        Atom atom = atom_at(at);
        scan = longer_behind(scan, step_of(atom, motion_of(atom, at), beyond));
        beyond = atom;
    }
    store_sums(strip, uvec2(scan_word(scan), word_of(beyond)));
}
