#version 430
// Move atoms along the rows of gravity's frame by their speed across gravity. The pass runs twice in a tick, once
// toward each side. Law: no atom overtakes another. An atom that runs into a solid turns back with the part of its
// speed that its bounce says. A powder or liquid that runs into another atom is thrown back by a random part of its
// speed, and the rest is spent: so a jet does not press on the face of a heap, and what it throws comes down along the
// whole slope. A gas loses about an eighth of its speed.
// Twin: oracle.atoms.glide.
// Source: seed 004, "Spraying Fluids": a consistent velocity, altered by obstacles.
#include "generated/tick.glsl"
#include "generated/images.glsl"

const bool ACROSS = true;
const bool NOTES_RISING = false;

#include "generated/layout.glsl"
#include "atoms/lookahead.glsl"

#include "lib/substep.glsl"

#include "atoms/gliding.glsl"

void prepare(int line) { pick_side(ivec2(0, line)); }
void set_speed(inout Atom atom, int speed) { atom.velocity.x = side * speed; }

void advance(inout Atom atom, ivec2 at) { }

// One of 256 equally likely values for the atom of a cell, in each of the two directions.
int drawn(ivec2 at)
{
    uvec4 words = noise(at, USE_SIDE);
    return int((substep == 0u ? words.y : words.z) >> 24);
}

void strike(inout Atom atom, int hard, int free, ivec2 at)
{
    int speed = speed_along(atom);
    if (hard == HARD_SOLID)
        speed = -(speed * max(bounce_of(atom.material), WALL_BOUNCE) >> 8);
    else if (is_gas(atom))
        speed -= min(speed, (speed >> 3) + 1);
    else
        speed = -(speed * drawn(at) >> 8);
    set_speed(atom, speed);
}
