// Layout of weigh, sink, touch and bounce: each invocation owns one strip of a column, of all strips.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

ivec2 strip_index() { return invocation(); }
bool owns_all_strips() { return true; }
