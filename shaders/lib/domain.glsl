// Where the cells of a world lie in the whole world of which they may be a piece; its seed and its tick.
// Only these functions read the block: so one day several worlds can lie in one texture, each with its own. `at` is any
// place of the frame of the world that is asked about. Twin: gpufluid/world/domain.py.
#include "generated/tick.glsl"
#include "lib/frame.glsl"

uint world_seed(ivec2 at) { return domain_seed; }
uint world_tick(ivec2 at) { return tick; } // modulo 2**32; of what rules compute with, not of what is noted of tiles

// A place of the world's frame, in the frame of the whole world.
ivec2 whole_place(ivec2 at) { return at + piece_in_frame(domain_origin, size, domain_whole_size); }

// Columns of the whole frame before the world's own, counted from the left (side 1) or the right (-1).
int columns_before(int side)
{
    int first = whole_place(ivec2(0)).x;
    return side > 0 ? first : frame_size(domain_whole_size).x - frame_size(size).x - first;
}
