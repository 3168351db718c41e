// The side to which this run of a pass works: the tick's coin, then the other one. Twin: oracle.atoms.cells.side_of.
int side; // 1 or -1, across gravity's frame

void pick_side()
{
    uint coin = noise(ivec2(0), tick, seed, USE_SIDE).x;
    side = ((coin + substep) & 1u) == 0u ? 1 : -1;
}
