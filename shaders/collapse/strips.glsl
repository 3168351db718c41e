// The strip of an invocation of rule collapse.
#include "collapse/waking.glsl"

#include "lib/column_strips.glsl"

// Test if a place beside the tile has been labelled in this tick. Other tiles may hold labels of earlier ticks, but no
// loose solid.
bool is_labelled(ivec2 at) { return in_cluster(tile_with(at, frame_size(size))); }
