// The side to which this run of a pass works: the tick's coin, then the other one. Twin: oracle.atoms.cells.side_of.
#include "lib/chance.glsl"

int side; // 1 or -1, across gravity's frame

void pick_side()
{
    uint coin = noise_of_all(USE_SIDE).x;
    side = ((coin + substep) & 1u) == 0u ? 1 : -1;
}

// Segments of a row are those of the whole world: the first may begin so many cells before the world's own.
int segment_lead() { return columns_before(side) % SEGMENT; }
