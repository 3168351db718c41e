#version 430
// Remove the atoms that fall to a drain of rule atoms; crossing.glsl has the law. Twin: oracle.atoms.drain_falling.
#include "generated/tick.glsl"
#include "generated/images.glsl"

const bool ACROSS = false;

#include "atoms/crossing.glsl"
#include "atoms/falling.glsl"

void prepare(int line) { }
