// What the passes of rule atoms note of tiles, so that those sleep in which nothing can change. Who reads it:
// rouse.glsl.
#include "generated/tick.glsl"
#include "lib/frame.glsl"
#include "lib/tiles.glsl"

const int MARGIN = 2; // cells: no block, and nothing at rest, is moved by what changed farther from it

// A rectangle of places of the frame, which may reach over its edges by a few.
void note_in_tiles(int layer, ivec2 low, ivec2 high, uint value) { note(layer, low, high, frame_size(size), value); }

void note_change(int layer, ivec2 low, ivec2 high) { note_in_tiles(layer, low - MARGIN, high + MARGIN, tick); }
