#version 430
// Move falling atoms along the columns of gravity's frame. Law: gravity accelerates every atom that is not held up; an
// atom that lands loses its fall to friction, to a bounce and to speed across. Twin: oracle.atoms.fall.
// Source: seed 004, "Powder Atom Movement" and "Spraying Fluids"; seed 002, "Solid movable cells".
#include "generated/images.glsl"

const bool ACROSS = false;
const bool NOTES_RISING = true;

#include "generated/layout.glsl"
#include "atoms/falling.glsl"
#ifndef TILED
#include "atoms/surveyed.glsl"
#endif

void prepare(int line) { }
void set_speed(inout Atom atom, int speed) { atom.velocity.y = speed; }

#include "atoms/landing.glsl"

void strike(inout Atom atom, int hard, ivec2 at) { land(atom, atom.velocity.y, pull_of(atom.material), at, USE_FALL); }
