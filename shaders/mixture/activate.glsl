// Tiles that rule mixture must visit. Law: a tile sleeps if in it and in the tiles around it nothing has changed for a
// whole tick, nor would have, had chance allowed it. Each tick tries all pairs, triples and cells, and a material moves
// only a few cells in one.
#include "mixture/waking.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last thing that was noted

bool activate_look(ivec2 tile) { return has_changed_around(tile); }
