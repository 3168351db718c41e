#version 430
// Move rising atoms along the columns of gravity's frame: gases, and atoms that were thrown up. Law: as fall, in the
// other direction. Twin: oracle.atoms.rise. Source: seed 002, "Gas movable cell".
#include "generated/tick.glsl"
#include "generated/images.glsl"

const bool ACROSS = false;
const bool NOTES_RISING = false;

#include "generated/layout.glsl"
#include "atoms/lookahead.glsl"
#include "atoms/rising.glsl"

void prepare(int line) { }
void set_speed(inout Atom atom, int speed) { atom.velocity.y = -speed; }

#include "atoms/landing.glsl"

void strike(inout Atom atom, int hard, int free, ivec2 at)
{
    land(atom, -atom.velocity.y, -pull_of(atom.material), at, USE_RISE);
}

void advance(inout Atom atom, ivec2 at) { stray(atom, at, USE_RISE); }
