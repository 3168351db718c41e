#version 430
// Remove the atoms that glide to a drain of rule atoms; crossing.glsl has the law. Twin: oracle.atoms.drain_gliding.
#include "generated/tick.glsl"
#include "generated/images.glsl"

const bool ACROSS = true;

#include "atoms/crossing.glsl"
#include "atoms/gliding.glsl"

void prepare(int line) { pick_side(ivec2(0, line)); }
