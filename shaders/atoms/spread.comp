#version 430
// Fluids that spread: a head changes places with the hole at the end of its run, and leaves it with the speed of a fall
// from the surface (Torricelli's law). Twin: oracle.atoms.spread.
// Law: each invocation owns the two cells of one slot of seek; no two slots name one cell.
#include "generated/images.glsl"
#define FROM cells
#define TO cells
#define TRACE_FROM trace
#define TRACE_TO trace
#include "atoms/cells.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform uint substep;

#include "atoms/side.glsl"
#include "atoms/spreading.glsl"

void main()
{
    ivec2 frame = frame_size(size);
    pick_side();
    int row = 2 * int(gl_GlobalInvocationID.x) + row_parity(), segment = int(gl_GlobalInvocationID.y);
    if (row >= frame.y || segment * SEGMENT >= frame.x)
        return;
    uint found = imageLoad(slots, ivec2(gl_GlobalInvocationID.xy)).r;
    if (found == 0u)
        return;
    ivec2 end = place_of(segment * SEGMENT + int(found & 0xFFu) - 1, row);
    ivec2 from = inside_world(end - ivec2(side * int(found >> 8 & 0xFFFFu), 0), frame);
    ivec2 to = inside_world(end + ivec2(side, 0), frame);
    Atom head = atom_at(from), hole = atom_at(to);
    if (is_empty(hole))
        head.velocity.x = bounded_speed(head.velocity.x + side * OUTFLOW[head.material * (DEPTH_MOST + 1) + int(found >> 24)]);
    put(to, head);
    put(from, hole);
}
