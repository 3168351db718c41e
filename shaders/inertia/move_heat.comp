#version 430
// Move the heat of water by mass along with the water. Twin: oracle.inertia.move_heat.
#include "flow/moving_heat.glsl"
