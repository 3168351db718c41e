#version 430
// Sum up each strip of a column for other simulations that compute parts of the same world: how the limit of what moves
// up changes along it. Analysis only: changes no state and has no twin.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "mixture/wishes.glsl"

const int DIRECTION = UP;

#include "mixture/summing.glsl"
