#version 430
// Reverse the velocities of elastic bodies before they hit an obstacle. An elastic atom turns back along an axis if
// join has marked an atom of its run along that axis as stopped; touch.comp says what a run is. So a convex body turns
// back as a whole, in one tick, and keeps its shape. Law: only velocities change; an atom that would rebound too slowly
// along gravity keeps its speed along gravity. Twin: oracle.atoms.bounce.
// Source: seed 004, "bouncy rubber".
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "atoms/body_runs.glsl"
#include "atoms/put.glsl"

#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uvec4 stopped_in(ivec2 strip) { return load_joined(strip); }

bool turns(ivec2 at, ivec2 direction)
{
    return is_run_stopped(at, line_along(direction_number(direction)), direction_number(direction));
}

void main()
{
    ivec2 strip = unit(), frame = frame_size(size);
    int first = strip.y * STRIP;
    if (strip.x >= frame.x || first >= frame.y)
        return;
    for (uint rows = any_direction(load_moving(strip)); rows != 0u; rows &= rows - 1u) {
        ivec2 at = ivec2(strip.x, first + findLSB(rows));
        Atom atom = atom_at(at);
        ivec2 direction = sign(atom.velocity), speed = abs(atom.velocity), velocity = atom.velocity;
        int bounce = bounce_of(atom.material), pull = pull_of(atom.material);
        int back =
            clamp(speed.y + direction.y * pull, 0, SPEED_LIMIT) * bounce >> 8; // of the speed at the end of this tick
        if (direction.x != 0 && turns(at, ivec2(direction.x, 0)))
            velocity.x = -direction.x * (speed.x * max(bounce, WALL_BOUNCE) >> 8);
        if (back > 3 * abs(pull) && turns(at, ivec2(0, direction.y)))
            velocity = ivec2(slowed(velocity.x, drag_of(atom.material)), -direction.y * back);
        if (velocity != atom.velocity) {
            atom.velocity = velocity;
            put(at, atom);
            if (is_own(at))
                mark_active(tick);
        }
    }
}
