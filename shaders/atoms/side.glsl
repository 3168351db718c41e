// The side toward which this run of a pass works: a coin of the tick picks the first side, later runs alternate.
// Twin: oracle.atoms.cells.side_of.
#include "lib/chance.glsl"

int side; // 1 or -1, across gravity's frame

// `at` is any place of the world.
void pick_side(ivec2 at)
{
    uint coin = noise_of_all(at, USE_SIDE).x;
    side = ((coin + substep) & 1u) == 0u ? 1 : -1;
}

// The cells by which the first segment of a row begins before the world: segments are aligned to the whole world.
int segment_lead() { return columns_before(side) % SEGMENT; }
