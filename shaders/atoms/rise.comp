#version 430
// Atoms that rise: gases, and whatever was thrown up. Twin: oracle.atoms.rise.
// Law: as fall, in the other direction. Source: seed 002, "Gas movable cell".
#include "generated/images.glsl"
#include "atoms/march.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

ivec2 place(int line, int index) { return ivec2(line, frame_size(size).y - 1 - index); }
int line_length() { return frame_size(size).y; }
int speed_along(Atom atom) { return -atom.velocity.y; }
int hardness(Atom atom) { return atom.velocity.y == 0 ? HARD_ATOM : HARD_NOT; }
void set_speed(inout Atom atom, int speed) { atom.velocity.y = -speed; }

Motion motion_of(Atom atom)
{
    return motion_along(-atom.velocity.y, -pull_of(atom.material), PULL_RECIPROCAL[atom.material],
                        terminal_of(atom.material), tick);
}

#include "atoms/landing.glsl"
#include "atoms/lookout.glsl"

void strike(inout Atom atom, int hard, ivec2 at)
{
    land(atom, -atom.velocity.y, -pull_of(atom.material), at, USE_RISE);
}

void main()
{
    ivec2 frame = frame_size(size);
    int line = invocation().x, first = invocation().y * STRIP;
    if (line < frame.x && first < frame.y)
        march(line, first);
}
