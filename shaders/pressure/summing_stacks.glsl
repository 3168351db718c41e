// Sum up the stack of powder that goes on upward from the lowest own row of a part of a world; see summing_runs.glsl.
#include "generated/matter.glsl"

#include "pressure/strips.glsl"

uint label_of_run(ivec2 at) { return 0u; }
bool is_in_run(ivec2 at, uint label) { return is_powder_at_rest(word_at(to_world(at, size))); }

#include "pressure/summing_runs.glsl"
