#version 430
// Move falling atoms along the columns of gravity's frame. Law: gravity accelerates every atom that has no support. An
// atom that lands loses its vertical speed: part of it becomes horizontal speed, part of it comes back as a bounce, the
// rest is lost. Twin: oracle.atoms.fall.
// Source: seed 004, "Powder Atom Movement" and "Spraying Fluids"; seed 002, "Solid movable cells".
#include "generated/tick.glsl"
#include "generated/images.glsl"

const bool ACROSS = false;      // the lines are columns
const bool NOTES_RISING = true; // the pass sets tile flag RISING, for pass rise

#include "generated/layout.glsl"
#include "atoms/falling.glsl"
#ifndef WHOLE_LINES
#include "atoms/surveyed.glsl"
#endif

// The functions that march.glsl declares for each pass.
void prepare(int line) { }
void set_speed(inout Atom atom, int speed) { atom.velocity.y = speed; }

#include "atoms/landing.glsl"

void strike(inout Atom atom, int hard, ivec2 at)
{
    bool sinks = hard == HARD_SOFT;
#ifdef SEES_AMOUNTS
    sinks = sinks || (hard == HARD_AMOUNT && density_of(atom.material) > density_of(FIRST_AMOUNT + DENSITY_STEPS - 1));
#endif
    if (!sinks || state_of(atom.material) != STATE_POWDER)
        land(atom, atom.velocity.y, pull_of(atom.material), at, USE_FALL);
}

void advance(inout Atom atom, ivec2 at) { stray(atom, at, USE_FALL); }
