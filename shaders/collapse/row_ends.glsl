// The fluid beside the ends of the rows of a piece. The density of the fluid at a place, and that one row ahead, are a
// pair; -1: no fluid there. Ahead is where the piece would move. Twin: oracle/collapse.py.
#include "generated/atoms.glsl"
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

ivec2 fluids_at(ivec2 at) { return ivec2(fluid_at(at), fluid_at(at + ivec2(0, is_time_to_rise(at) ? -1 : 1))); }

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
