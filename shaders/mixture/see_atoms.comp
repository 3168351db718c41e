#version 430
// Update the marks of cells that no amount can enter; marks.glsl has the law. The pass runs after the passes over atoms
// and before amounts move. Twin: oracle.mixture.see_atoms.
#include "mixture/marks.glsl"
