// Tiles that rule mixture must visit. Law: a tile sleeps if in it and in the tiles around it no cell has changed
// for a whole tick, and none would have changed with another draw. Each tick tries all pairs, triples and cells, and a
// material moves only a few cells in a tick.
#include "mixture/waking.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last note

bool activate_look(ivec2 tile) { return has_changed_around(tile); }
