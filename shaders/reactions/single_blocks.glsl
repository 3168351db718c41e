// Every block of the world is worked on, by an invocation of its own.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const int ROWS_OF_BLOCKS = 1;

ivec2 owned_block() { return invocation(); }
