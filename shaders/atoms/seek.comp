#version 430
// Where a fluid may spread: in each segment of a row the foremost end of a run of one fluid that stands before a hole,
// and the head, an atom of the run with matter on top, that may pass through its own kind into the hole.
// Law: only found here, moved in spread.comp. Twin: oracle.atoms.seek.
// Source: seed 004, "Fluid atoms can move through atoms of the same element (if there is an empty space on the other
// side)". That a head has matter on top makes energy fall with every move: so a fluid comes to rest.
#include "generated/images.glsl"
#define FROM cells
#include "generated/ledger.glsl"
#include "atoms/cells.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform uint substep;

#include "atoms/side.glsl"
#include "atoms/spreading.glsl"

// Atoms before which a head may lie: on a torus no farther than once around.
int reach_into(Atom hole)
{
    return min(is_empty(hole) ? REACH_OPEN : REACH_FLUID, frame_size(size).x - 1);
}

// Whether the atom at the end of a run stands before a hole.
bool faces_hole(Atom end, Atom hole, ivec2 at)
{
    if (!is_fluid(end) || end.velocity.y != 0 || pull_side(end) == 0 || hole.material == end.material)
        return false;
    if (is_empty(hole))
        return true;
    // A fluid gives way only where it is open to its own kind: a bubble must not be passed to and fro under water.
    return pull_side(end) > 0 && gives_way(hole, end) && hole.velocity.y == 0 &&
        atom_around(at + ivec2(side, -1)).material != end.material;
}

// The distance from a run's end to its head, which is drawn among all that it has; -1 if it has none.
int distance_to_head(Atom end, Atom hole, ivec2 at)
{
    int found = -1;
    uint best = 0u;
    int reach = reach_into(hole);
    Atom atom = end;
    for (int distance = 0; distance < reach; distance++) {
        ivec2 here = at - ivec2(side * distance, 0);
        Atom behind = atom_around(here - ivec2(side, 0));
        // Where a denser fluid may take the run's last atom for its own hole, that atom is no head.
        bool claimed = is_fluid(behind) && DENSITY_OF[behind.material] > DENSITY_OF[end.material];
        if (atom.velocity.y == 0 && !claimed && is_pressed(end, here)) {
            uint lot = noise(inside_world(here, frame_size(size)), tick, seed, USE_SEEK + substep).x | 1u;
            if (lot > best) {
                best = lot;
                found = distance;
            }
        }
        if (behind.material != end.material)
            break;
        atom = behind;
    }
    return found;
}

// How many atoms press on a place, as far as they are told apart.
int depth_at(Atom fluid, ivec2 at)
{
    int depth = 0;
    while (depth < DEPTH_MOST && is_mobile(atom_around(at - ivec2(0, (depth + 1) * pull_side(fluid)))))
        depth++;
    return depth;
}

void main()
{
    ivec2 frame = frame_size(size);
    pick_side();
    int row = 2 * int(gl_GlobalInvocationID.x) + row_parity(), segment = int(gl_GlobalInvocationID.y);
    int first = segment * SEGMENT, last = min(first + SEGMENT, frame.x);
    if (row >= frame.y || first >= frame.x)
        return;
    uint found = 0u;
    Atom hole = atom_around(place_of(last, row));
    for (int index = last - 1; index >= first && found == 0u; index--) {
        ivec2 at = place_of(index, row);
        Atom end = atom_at(at);
        if (faces_hole(end, hole, at)) {
            int distance = distance_to_head(end, hole, at);
            if (distance >= 0) {
                note_stir(tick);
                bool sticks = int(noise(at, tick, seed, USE_SEEK + substep).y & 0xFFu) < STICK_OF[end.material];
                int depth = depth_at(end, at - ivec2(side * distance, 0));
                found = sticks ? 0u : uint(depth) << 24 | uint(distance) << 8 | uint(index - first + 1);
            }
        }
        hole = end;
    }
    imageStore(slots, ivec2(gl_GlobalInvocationID.xy), uvec4(found));
}
