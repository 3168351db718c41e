// Layout of rule pressure without tiles.
#include "lib/whole_strips.glsl"
