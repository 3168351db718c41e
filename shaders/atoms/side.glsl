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

// The parity of the rows that spread in this run: neighbouring rows never spread at once, because one would move the
// heads of the other. `at` is any place of the world.
int row_parity(ivec2 at) { return (int(world_tick(at) + (substep >> 1)) + whole_place(ivec2(0)).y) & 1; }

// The cells by which the first segment of a row begins before the world: segments are aligned to the whole world.
int segment_lead() { return columns_before(side) % SEGMENT; }
