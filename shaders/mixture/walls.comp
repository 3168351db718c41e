#version 430
// Update the marks of cells that no amount can enter; marks.glsl has the law. The pass runs after all rules that can
// change these cells and before the drains. Twin: oracle.mixture.walls.
#include "mixture/marks.glsl"
