// Layout of rule heat: each invocation owns a patch, of all patches of the world.
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

ivec2 owned_patch(ivec2 frame) { return invocation() * ivec2(STRIP_WIDTH, STRIP_HEIGHT); }
