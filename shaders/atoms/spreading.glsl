// Shared by seek and spread: segments of rows, counted in the direction in which fluid spreads.
#include "atoms/run_ends.glsl"
#include "generated/layout.glsl"

// The place in gravity's frame of a cell of a row; cells are counted from the side that fluid comes from.
ivec2 place_of(int index, int row) { return ivec2(side > 0 ? index : frame_size(size).x - 1 - index, row); }

// The parity of the rows that spread in this run: neighbouring rows never spread at once, because one would move the
// heads of the other. `at` is any place of the world.
int row_parity(ivec2 at) { return (int(world_tick(at) + (substep >> 1)) + whole_place(ivec2(0)).y) & 1; }

// Test if the atom above a place (below it for a gas) will sink (or rise) into the content of the hole, once that
// content has moved to the place.
bool is_pressed(Atom fluid, Atom hole, ivec2 at)
{
    Atom pressing = atom_around(at - ivec2(0, pull_side(fluid)));
    return pull_side(fluid) > 0 ? is_heavy(pressing) && gives_way(hole, pressing) : is_gas(pressing);
}
