// A layout of seek and spread: each invocation has a slot of its own, all slots have one.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

ivec2 slot_index() { return invocation(); }
