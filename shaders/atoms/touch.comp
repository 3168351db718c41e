#version 430
// Find the elastic atoms that an obstacle would stop in this tick. A run is a row or a column of touching elastic atoms
// that move in the same direction, along it. An obstacle stops the run if run and obstacle may close the gap between
// them in this tick. Law: this pass moves no atom; bounce.comp reverses the velocities. Twin: oracle.atoms.touch.
// Source: seed 004, "bouncy rubber".
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "atoms/bodies.glsl"
#include "atoms/cells.glsl"

#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// The speed of an atom along a direction.
int speed_along(Atom atom, ivec2 direction) { return atom.velocity.x * direction.x + atom.velocity.y * direction.y; }

bool goes_along(Atom atom, ivec2 direction) { return is_elastic(atom) && speed_along(atom, direction) > 0; }

// Test if an obstacle stops an atom in this tick. `speed` is the largest speed that the atom may have along
// `direction`, in 1/16 cell a tick.
bool is_stopped(Atom atom, ivec2 at, ivec2 direction, int speed)
{
    int most = body_cells(direction), cells = 1;
    Atom next = atom_around(at + direction);
    for (; cells < most && goes_along(next, direction); cells++)
        next = atom_around(at + direction * (cells + 1));
    int farthest = min((speed + SPEED_LIMIT) / VELOCITY_ONE + 2, most), gap = 0;
    for (; gap < farthest && is_empty(next); gap++)
        next = atom_around(at + direction * (cells + gap + 1));
    int toward = -speed_along(next, direction);
    bool near = gap < farthest && toward >= 0 && gap <= (speed + toward) / VELOCITY_ONE + 1;
    bool leaves = EDGES == EDGES_OPEN && is_outside(at + direction * (cells + gap), frame_size(size));
    return near && !leaves && !gives_way(next, atom);
}

uvec4 moving, stopped;

// Record if an atom moves along one axis, and if an obstacle stops it there.
void look_along(Atom atom, ivec2 at, ivec2 direction, int speed)
{
    uint row = 1u << at.y % STRIP;
    bool moves = direction != ivec2(0);
    moving[direction_number(direction)] |= moves ? row : 0u;
    stopped[direction_number(direction)] |= moves && is_stopped(atom, at, direction, speed) ? row : 0u;
}

void main()
{
    ivec2 strip = unit(), frame = frame_size(size);
    int first = strip.y * STRIP;
    if (strip.x >= frame.x || first >= frame.y)
        return;
    // First the cheap test, cell after cell; the search follows only where there are elastic atoms that move.
    uint rows = 0u;
    for (int i = 0; i < min(STRIP, frame.y - first); i++) {
        Atom atom = atom_at(ivec2(strip.x, first + i));
        rows |= is_elastic(atom) && atom.velocity != ivec2(0) ? 1u << i : 0u;
    }
    moving = stopped = uvec4(0u);
    for (; rows != 0u; rows &= rows - 1u) {
        ivec2 at = ivec2(strip.x, first + findLSB(rows));
        Atom atom = atom_at(at);
        ivec2 direction = sign(atom.velocity), speed = abs(atom.velocity);
        look_along(atom, at, ivec2(0, direction.y), speed.y + abs(pull_of(atom.material)));
        look_along(atom, at, ivec2(direction.x, 0), speed.x);
    }
    store_moving(strip, moving);
    store_stopped(strip, stopped);
}
