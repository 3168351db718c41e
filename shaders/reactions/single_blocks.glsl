// Layout of react: each invocation owns one block, of all blocks of the world.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const int ROWS_OF_BLOCKS = 1;

ivec2 owned_block() { return invocation(); }
