// A group works on the strips of one listed tile, one strip an invocation.
#include "generated/unit.glsl"

ivec2 owned_strip() { return unit(); }
