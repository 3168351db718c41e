// Layout of react: that of rule heat.
#include "heat/cpu/tile_blocks.glsl"
