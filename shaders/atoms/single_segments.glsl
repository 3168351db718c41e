// Layout of seek and spread: each invocation owns one slot, of all slots.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

ivec2 slot_index() { return invocation(); }
