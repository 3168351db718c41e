// The lines of glide and drain_gliding: rows of gravity's frame, toward the side that `pick_side` has picked.
#include "atoms/side.glsl"

ivec2 place(int line, int index) { return ivec2(side > 0 ? index : frame_size(size).x - 1 - index, line); }
int line_length() { return frame_size(size).x; }
int line_count() { return frame_size(size).y; }
bool is_reversed() { return side < 0; }
bool is_soft(Atom atom, Atom beyond) { return false; }
int speed_along(Atom atom) { return side * atom.velocity.x; }
// Also of an atom that comes from the opposite side: in a head-on collision both lose speed.
int hardness(Atom atom) { return HARD_ATOM; }
Motion motion_of(Atom atom, ivec2 at) { return motion_along(side * atom.velocity.x, 0, 0u, 0, world_tick(at)); }
