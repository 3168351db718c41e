#version 430
// Remove the atoms that rise to a drain of rule atoms; crossing.glsl has the law. Twin: oracle.atoms.drain_rising.
#include "generated/tick.glsl"
#include "generated/images.glsl"

const bool ACROSS = false;

#include "atoms/crossing.glsl"
#include "atoms/rising.glsl"

void prepare(int line) { }
