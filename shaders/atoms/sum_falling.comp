#version 430
// Sum up the stretches of a column for other simulations that compute parts of the same world: how far an atom can fall
// through it. summing.glsl has the law. Analysis only: changes no state and has no twin.
#include "generated/tick.glsl"
#include "generated/images.glsl"

const bool ACROSS = false;

#include "atoms/summing.glsl"
#include "atoms/falling.glsl"

void prepare(int line) { }
