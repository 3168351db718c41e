// The fluid beside the ends of the rows of a piece: two densities, at two places ahead, where the piece would move; -1:
// there is no fluid beside the end. Twin: oracle/displacing.py.
#include "generated/atoms.glsl"
#include "collapse/gaps.glsl"
#include "collapse/rising.glsl"
#include "collapse/roles.glsl"
#include "lib/domain.glsl"

const int OPEN = 0, CLOSED = 1, BEYOND = 2; // results of `find_open`

int density_at(ivec2 at) { return density_of(int(material_at(to_world(at, size)))); }

// The density of the fluid at a place; -1 if there is none.
int fluid_at(ivec2 at)
{
    int role = role_around(at);
    return role == YIELDS || role == SLOWS ? density_at(inside_world(at, frame_size(size))) : -1;
}

// The fluid at a place, and as far ahead as a move takes the row there in its middle, relative to the fluid: a number
// of half rows. With an odd one the last two rows count half each. What is ahead of the last fluid counts as this one.
ivec2 fluids_at(ivec2 at, int halves)
{
    ivec2 found = ivec2(fluid_at(at));
    int ahead = is_time_to_rise(at) ? -1 : 1, next = found.y;
    for (int row = 1; row <= halves + 1 >> 1 && next >= 0; row++) {
        next = fluid_at(at + ivec2(0, ahead * row));
        found.x = next >= 0 && row <= halves >> 1 ? next : found.x;
        found.y = next >= 0 ? next : found.y;
    }
    return found;
}

// The sum of the fluids at some places in a gap beside the end of a row, evenly spaced: the uppermost row of a liquid
// of atoms is seldom full.
ivec2 fluids_in_gap(ivec2 end, int side, Gaps gaps)
{
    if (fluid_at(end) < 0)
        return ivec2(-1);
    ivec2 sum = ivec2(0);
    int cells = side < 0 ? gaps.cells.x : gaps.cells.y;
    for (int i = 0; i < GAP_SAMPLES; i++)
        sum += fluids_at(end + ivec2(side * (cells * (2 * i + 1) / (2 * GAP_SAMPLES)), 0), gaps.halves);
    return sum;
}

// The same of a place beyond an overhang; there the gap does not matter.
ivec2 fluids_beyond(ivec2 at)
{
    ivec2 found = fluids_at(at, is_time_to_rise(at) ? 1 : 2);
    return found.x < 0 ? found : GAP_SAMPLES * found;
}

// Test if a place lies directly under a cell of a piece.
bool is_under(uint label, ivec2 at)
{
    ivec2 over = at - ivec2(0, 1);
    return role_around(over) == LOOSE && label_at(inside_world(over, frame_size(size))) == label;
}

// Find the nearest place from `at` on, in a direction, that has no cell of the piece directly above it: OPEN, if all
// places up to it hold fluid, else CLOSED. Below an overhang the fluid follows a move of the piece late. BEYOND: the
// overhang goes on in another part of the world.
int find_open(uint label, inout ivec2 at, int side)
{
    for (int cells = frame_size(size).x; cells > 0 && fluid_at(at) >= 0; cells--) {
        if (!is_under(label, at))
            return OPEN;
        if (!is_own(at))
            return BEYOND;
        at.x += side;
    }
    return CLOSED;
}
