#version 430
// Move atoms along the rows of gravity's frame by their speed across: first to one side, then to the other. Law: as
// fall, without gravity; a solid reverses the speed, an atom takes part of it. Twin: oracle.atoms.glide.
// Source: seed 004, "Spraying Fluids": a consistent velocity, altered by obstacles.
#include "generated/images.glsl"

const bool ACROSS = true;
const bool NOTES_RISING = false;

#include "generated/layout.glsl"
#include "atoms/lookahead.glsl"

uniform uint substep;

#include "atoms/side.glsl"

ivec2 place(int line, int index) { return ivec2(side > 0 ? index : frame_size(size).x - 1 - index, line); }
int line_length() { return frame_size(size).x; }
int line_count() { return frame_size(size).y; }
bool is_reversed() { return side < 0; }
bool is_soft(Atom atom, Atom beyond) { return false; }
void prepare(int line) { pick_side(ivec2(0, line)); }
int speed_along(Atom atom) { return side * atom.velocity.x; }
// Also of an atom that comes from the opposite side: in a head-on collision both lose speed.
int hardness(Atom atom) { return HARD_ATOM; }
void set_speed(inout Atom atom, int speed) { atom.velocity.x = side * speed; }
Motion motion_of(Atom atom, ivec2 at) { return motion_along(side * atom.velocity.x, 0, 0u, 0, world_tick(at)); }

void advance(inout Atom atom, ivec2 at) { }

void strike(inout Atom atom, int hard, ivec2 at)
{
    int speed = speed_along(atom);
    if (hard == HARD_SOLID)
        speed = -(speed * max(bounce_of(atom.material), WALL_BOUNCE) >> 8);
    else
        speed -= min(speed, (speed >> 3) + 1);
    set_speed(atom, speed);
}
