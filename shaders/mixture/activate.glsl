// Which tiles rule mixture must look at. A tile rests when in it and in those around it nothing has changed for a whole
// tick, nor would have, had chance allowed it: for in each tick all pairs, triples and cells have been asked, and what
// moves goes no farther than a few cells in one.
#include "mixture/waking.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last thing that was noted

bool activate_look(ivec2 tile) { return has_changed_around(tile); }
