// A layout without tiles: each invocation owns a strip of a column, of all strips of the world.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

ivec2 owned_strip() { return invocation() * ivec2(1, STRIP_HEIGHT); }

// Test if a place has been labelled in this tick; without tiles every place has.
bool is_labelled(ivec2 at) { return true; }
