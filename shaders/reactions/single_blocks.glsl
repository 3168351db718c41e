// Layout of react: that of rule heat.
#include "heat/single_blocks.glsl"
