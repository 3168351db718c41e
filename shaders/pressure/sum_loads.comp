#version 430
// In a part of a world, sum up the powder and liquid that go on from its lowest own row upward, after the rounds.
// Analysis only.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "pressure/labelled.glsl"
#include "generated/matter.glsl"

#include "pressure/strips.glsl"

uint label_of_run(ivec2 at) { return liquid_at(at) == 0u ? 0u : label_at(at); }

bool is_in_run(ivec2 at, uint label)
{
    return label == 0u ? is_powder_at_rest(word_at(to_world(at, size))) : liquid_at(at) != 0u && label_at(at) == label;
}
#include "pressure/summing_runs.glsl"
