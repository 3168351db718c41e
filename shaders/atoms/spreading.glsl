// Shared by seek and spread: segments of rows, counted in the direction in which fluid spreads.
#include "atoms/run_ends.glsl"
#include "generated/layout.glsl"

// The place in gravity's frame of a cell of a row; cells are counted from the side that fluid comes from.
ivec2 place_of(int index, int row) { return ivec2(side > 0 ? index : frame_size(size).x - 1 - index, row); }

// Which rows spread in this run, by their parity: neighbours never at once, since the one would move the other's heads.
int row_parity() { return (int(world_tick(ivec2(0)) + (substep >> 1)) + whole_place(ivec2(0)).y) & 1; }

// Whether the atom above a place, or below it for a gas, will follow into the content of the hole when that comes
// there.
bool is_pressed(Atom fluid, Atom hole, ivec2 at)
{
    Atom pressing = atom_around(at - ivec2(0, pull_side(fluid)));
    return pull_side(fluid) > 0 ? is_heavy(pressing) && gives_way(hole, pressing) : is_gas(pressing);
}
