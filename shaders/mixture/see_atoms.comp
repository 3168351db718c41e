#version 430
// Update the marks of amounts after the passes over atoms, and before amounts move. Twin: oracle.mixture.see_atoms.
#include "mixture/marks.glsl"
