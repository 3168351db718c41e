// Every strip of a column of the world is worked on.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

ivec2 owned_strip() { return invocation() * ivec2(1, STRIP_HEIGHT); }

// Whether what lies there has been given labels in this tick.
bool is_labelled(ivec2 at) { return true; }
