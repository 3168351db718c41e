// Layout of passes over 2x2 blocks: each invocation owns some blocks of a column.
#include "generated/strip.glsl"
#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const int ROWS_OF_BLOCKS = STRIP_HEIGHT / 2;

ivec2 owned_block() { return unit() * ivec2(1, ROWS_OF_BLOCKS); }
