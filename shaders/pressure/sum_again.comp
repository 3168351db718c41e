#version 430
// In a part of a world, sum up the stacks of powder that go on from its lowest own row upward, before each round.
// Analysis only.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/summing_stacks.glsl"
