// Layout of rule collapse without tiles.
#include "lib/whole_strips.glsl"
