// The steps of a tick in which pieces may rise. Twin: oracle/displacing.py.
#include "lib/domain.glsl"

uniform uint substep;

// In the first step of every other tick the pieces that touch a liquid may rise, in all others pieces may fall. A sum
// of weights is that for one of the two.
bool is_time_to_rise(ivec2 at) { return substep == 0u && (world_tick(at) & 1u) == 1u; }
