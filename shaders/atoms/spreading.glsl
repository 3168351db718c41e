// Shared by seek and spread: segments of rows, counted in the direction in which fluid spreads.
#include "atoms/run_ends.glsl"
#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// The place in gravity's frame of a cell of a row; cells are counted from the side that fluid comes from.
ivec2 place_of(int index, int row) { return ivec2(side > 0 ? index : frame_size(size).x - 1 - index, row); }

// Test for a cell with less amounts than a full cell of liquid.
bool is_thin(int material) { return is_amount(material) && is_thin_amount(density_of(material)); }

// Test if a hole is as good as empty for the fluid at the end of a run: it is empty, or holds thin amounts that are
// less dense than the fluid. Else the film of water that runs down a mound of oil would hold the oil back.
bool is_open(Atom hole, Atom end) { return is_empty(hole) || (is_thin(hole.material) && gives_way(hole, end)); }

// Test if the atom above a place (below it for a gas) will sink (or rise) into the content of the hole, once that
// content has moved to the place.
bool is_pressed(Atom fluid, Atom hole, ivec2 at)
{
    Atom pressing = atom_around(at - ivec2(0, pull_side(fluid)));
    return pull_side(fluid) > 0 ? is_heavy(pressing) && gives_way(hole, pressing) : is_gas(pressing);
}
