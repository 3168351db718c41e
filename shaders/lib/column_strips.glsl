// Each invocation owns a strip of a column, of all strips of the world or of a listed tile.
#include "generated/strip.glsl"
#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// The first cell of the strip; it may lie beyond the world.
ivec2 owned_strip() { return unit() * ivec2(STRIP_WIDTH, STRIP_HEIGHT); }
