#version 430
// Mark the rows of each tile in which a run of fluid ends beside a hole; seek searches only these rows. A hole is a
// cell that is empty or holds a less dense fluid. Flag the tiles in which an elastic atom moves: touch, join and bounce
// run only there. Flag those in which a liquid falls freely, for find_drops and form_drops. Analysis only: changes no
// state and has no twin.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "atoms/cells.glsl"
#include "atoms/drops.glsl"
#include "atoms/waking.glsl"
#include "generated/listed.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

#include "atoms/run_ends.glsl"

void main()
{
    int entry = listed();
    if (entry < 0)
        return;
    ivec2 tile = tile_of(uint(entry));
    ivec2 first = tile * TILE + ivec2(0, gl_LocalInvocationID.x), frame = frame_size(size);
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    bool faces = false, bounces = false, falls = false;
    FluidCell left = fluid_cell_of(atom_around(first - ivec2(1, 0)));
    for (int i = 0; i <= TILE.x; i++) {
        Atom atom = atom_around(first + ivec2(i, 0));
        FluidCell right = fluid_cell_of(atom);
        bounces = bounces || (is_elastic(atom) && atom.velocity != ivec2(0));
        falls = falls || falls_freely(right.state, right.pull, atom.velocity.y);
        faces = faces || may_face(left, right) || may_face(right, left);
        left = right;
    }
    if (faces)
        note_row(RUN_ENDS, first, frame);
    if (bounces)
        set_tile_flag(BODIES, tile, tick);
    if (falls && forms_drops(first))
        set_tile_flag(DROPS, tile, tick);
}
