#version 430
// Spread fluids: each head that seek has found changes places with a hole at the end of its run, and leaves with the
// speed of a fall from the surface (Torricelli's law). If the hole holds a less dense fluid and is not open (see
// is_open), the atom `lift` rows above the head moves instead, and its speed does not change. Law: each invocation owns
// the cells of one slot; no two slots name one cell. Twin: oracle.atoms.spread.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "atoms/put.glsl"
#include "atoms/waking.glsl"

#include "lib/substep.glsl"

#include "atoms/side.glsl"
#include "atoms/spreading.glsl"

// The speed of a fall from the surface, sqrt(2 a h), at most the terminal speed. The root is found bit by bit, from the
// highest bit of a speed on.
int outflow(int pull, int terminal, int depth)
{
    int square = 2 * pull * VELOCITY_ONE * depth, root = 0;
    for (int bit = 64; bit > 0; bit >>= 1)
        root += (root + bit) * (root + bit) <= square ? bit : 0;
    return min(root, terminal);
}

// Note that a cell may now be the end of a run, or a hole before the end of another run.
void note_spread(ivec2 at)
{
    note_change(CHANGED, at);
    note_row(RUN_ENDS, at - ivec2(1, 0), frame_size(size));
    note_row(RUN_ENDS, at + ivec2(1, 0), frame_size(size));
}

void main()
{
    ivec2 frame = frame_size(size);
    ivec2 slot = unit(), rows = ivec2(0, 2 * slot.x); // of the two rows one is worked on
    pick_side(rows);
    int row = rows.y + row_parity(rows), first = slot.y * SEGMENT - segment_lead();
    if (row >= frame.y || first >= frame.x)
        return;
    uvec4 found = load_slots(slot);
    if (found.x == 0u)
        return;
    ivec2 end = place_of(first + int(found.x & 0xFFu) - 1, row);
    int distance = int(found.x >> 8 & 0xFFFFu), depth = int(found.x >> 24);
    int lift = int(found.w);
    uint heads = found.y << 1 | 1u, holes = found.z; // the head itself goes first, into the nearest hole
    do {
        ivec2 from = inside_world(end - ivec2(side * (distance + findLSB(heads)), lift), frame);
        ivec2 to = inside_world(end + ivec2(side * (1 + findLSB(holes)), 0), frame);
        Atom head = atom_at(from), hole = atom_at(to);
        int speed = is_open(hole, head) ? outflow(abs(pull_of(head.material)), terminal_of(head.material), depth) : 0;
        head.velocity.x = bounded_speed(head.velocity.x + side * speed);
        put(to, head);
        put(from, hole);
        note_spread(from);
        note_spread(to);
        heads &= heads - 1u;
        holes &= holes - 1u;
    } while (heads != 0u);
}
