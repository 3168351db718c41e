// Tiles that the passes of rule mixture must visit. Law: a tile sleeps if in it and in the tiles around it no cell has
// changed for a whole tick, and none would have changed with another draw. Each tick tries all columns, triples and
// cells. Where a fall begins in another tile, sink follows it into sleeping ones and sets their flags; spread and
// convert then visit them too. What look has recorded in a tile that slept until then still holds.
#include "mixture/waking.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last note

bool activate_look(ivec2 tile) { return has_changed_around(tile); }
bool activate_sink(ivec2 tile) { return has_changed_around(tile); }
bool activate_rise(ivec2 tile) { return has_changed_around(tile); }
bool activate_spread(ivec2 tile) { return has_changed_around(tile); }

// A tile of the rule that moves atoms: a cell of it has changed since the last run, in this tick or the last.
bool activate_see_atoms(ivec2 tile) { return is_since(CHANGED, tile, tick, 1u); }
bool activate_walls(ivec2 tile) { return is_since(CHANGED, tile, tick, 1u); }
