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

// Powder that sinks keeps its speed, and beside rule inertia so does powder or liquid that has just fallen onto water
// by mass: pass inertia.push takes its momentum.
void strike(inout Atom atom, int hard, int free, ivec2 at)
{
    int state = state_of(atom.material), pull = pull_of(atom.material);
    bool sinks = hard == HARD_SOFT;
#ifdef SEES_AMOUNTS
    sinks = sinks || (hard == HARD_AMOUNT && density_of(atom.material) > density_of(FIRST_AMOUNT + DENSITY_STEPS - 1));
#endif
    bool keeps = sinks && state == STATE_POWDER;
#ifdef KEEPS_MOMENTUM
    bool falls = pull > 0 && free > 0 && atom.velocity.y > 2 * pull;
    keeps = keeps || (falls && hard == HARD_AMOUNT && (state == STATE_POWDER || state == STATE_LIQUID));
#endif
    if (!keeps)
        land(atom, atom.velocity.y, pull, at, USE_FALL);
}

void advance(inout Atom atom, ivec2 at) { stray(atom, at, USE_FALL); }
