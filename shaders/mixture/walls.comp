#version 430
// Update the marks of amounts after all rules that change which cells no amount can enter, and before the drains.
// Twin: oracle.mixture.walls.
#include "mixture/marks.glsl"
