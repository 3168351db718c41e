// Components of tiles: those that hold liquid, or may get it, and touch each other. Each links to its component by the
// tile flag COMPONENT.
#include "generated/pressure.glsl"
#include "pressure/waking.glsl"

const int LINK = COMPONENT;

#include "lib/tile_sets.glsl"

bool is_member(ivec2 tile) { return in_component(tile); }
