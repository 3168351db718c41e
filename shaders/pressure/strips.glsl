// The strip of an invocation of rule pressure.
#include "pressure/waking.glsl"

#include "lib/column_strips.glsl"

// Test if a place beside the tile has been labelled in this tick. Other tiles may hold labels of earlier ticks, but no
// liquid at rest.
bool is_labelled(ivec2 at) { return in_component(tile_with(at, frame_size(size))); }
