#version 430
// Sum up the stretches of a row for other simulations that compute parts of the same world: how far an atom can glide
// through it. summing.glsl has the law. Analysis only: changes no state and has no twin.
#include "generated/tick.glsl"
#include "generated/images.glsl"

const bool ACROSS = true;

uniform uint substep;

#define load_stretches load_row_stretches
#define store_sums store_row_sums
#include "atoms/summing.glsl"
#include "atoms/gliding.glsl"

void prepare(int line) { pick_side(ivec2(0, line)); }
