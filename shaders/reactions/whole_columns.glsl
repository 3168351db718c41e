// Layout of decay: each invocation owns a strip of a column, of all strips of the world.
#include "generated/strip.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const int ROWS = STRIP_HEIGHT;

ivec2 owned_column() { return invocation() * ivec2(STRIP_WIDTH, STRIP_HEIGHT); }
