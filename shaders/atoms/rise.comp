#version 430
// Move rising atoms along the columns of gravity's frame: gases, and atoms that were thrown up. Law: as fall, in the
// other direction. Twin: oracle.atoms.rise. Source: seed 002, "Gas movable cell".
#include "generated/images.glsl"

const bool ACROSS = false;
const bool NOTES_RISING = false;

#include "generated/layout.glsl"
#include "atoms/lookahead.glsl"

ivec2 place(int line, int index) { return ivec2(line, frame_size(size).y - 1 - index); }
int line_length() { return frame_size(size).y; }
int line_count() { return frame_size(size).x; }
bool is_reversed() { return true; }
int speed_along(Atom atom) { return -atom.velocity.y; }
int hardness(Atom atom) { return atom.velocity.y == 0 ? HARD_ATOM : HARD_NONE; }
bool is_soft(Atom atom, Atom beyond) { return false; }
void prepare(int line) { }
void set_speed(inout Atom atom, int speed) { atom.velocity.y = -speed; }

Motion motion_of(Atom atom, ivec2 at)
{
    return motion_along(-atom.velocity.y, -pull_of(atom.material), PULL_RECIPROCAL[atom.material],
                        terminal_of(atom.material), world_tick(at));
}

#include "atoms/landing.glsl"

void strike(inout Atom atom, int hard, ivec2 at)
{
    land(atom, -atom.velocity.y, -pull_of(atom.material), at, USE_RISE);
}

void advance(inout Atom atom, ivec2 at) { stray(atom, at, USE_RISE); }
