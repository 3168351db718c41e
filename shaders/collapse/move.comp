#version 430
// Move falling pieces down by one row, and rising pieces up by one: each run of a piece in a column changes places with
// the cell below or above it. At a surface of water with momentum the water below gives way, so that none comes to lie
// on a piece and no hole opens below it. Law: a run and the cell below or above it belong to one invocation, and to no
// other run; and so does the water below it that gives way, which ends two cells above the next piece. The cell below
// or above a run lies inside the world, because the edge of the world holds pieces. Twin: oracle.collapse.move.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "atoms/put.glsl"
#include "lib/domain.glsl"
#ifdef KEEPS_MOMENTUM
#include "atoms/giving_way.glsl"
#endif
#include "collapse/weight.glsl"

#include "collapse/strips.glsl"
#include "collapse/waking.glsl"

// The label at a place, which may lie outside the world or beyond a part of it; 0: no piece.
uint label_around(ivec2 at)
{
    ivec2 frame = frame_size(size);
    return is_outside(at, frame) || is_beyond(at) || !is_labelled(at) ? 0u : label_at(inside_world(at, frame));
}

void put_at(ivec2 at, Atom atom)
{
    ivec2 place = inside_world(at, frame_size(size));
    put(place, atom);
    note_change(CHANGED, place);
}

#ifdef KEEPS_MOMENTUM
const int COMPRESSED = 3 * FULL / 2; // a cell of water with this or more does not give way

// Test if the water of a cell can be shared by others, or can share theirs.
bool may_share(Carried carried) { return int(carried.mass) < COMPRESSED && has_room_for_heat(carried); }

// The number of cells of water that give way, from a place on down. Cells that another piece may change do not, nor do
// those below a compressed cell.
int count_giving(ivec2 first)
{
    bool gives = true;
    int giving = 0;
    while (gives && giving < WATER_FLOATS_OVER) {
        ivec2 at = first + ivec2(0, giving);
        gives = label_around(at) == 0u && label_around(at + ivec2(0, 1)) == 0u;
        Atom atom = gives ? atom_around(at) : OUTSIDE;
        gives = is_amount(atom.material) && may_share(atom.carried);
        giving += gives ? 1 : 0;
    }
    return giving;
}

// Test if there is less than half of a cell of water, and nothing else, at a place, and no other piece moves into it.
bool is_air(ivec2 at)
{
    Atom atom = label_around(at - ivec2(0, 1)) == 0u ? atom_around(at) : OUTSIDE;
    return atom.material == 0 || (is_amount(atom.material) && int(atom.carried.mass) < FULL / 2);
}
#endif

// If the cell above a run is air, let the water below give way to the run. Returns the content of the cell that the run
// leaves. `passed` is the content of the cell that the run enters, `next` the first cell that can give way.
Atom let_water_give_way(Atom passed, ivec2 above, ivec2 next, int down)
{
#ifdef KEEPS_MOMENTUM
    if (!is_air(above) || !may_share(passed.carried) || (down > 0 && !is_amount(passed.material)))
        return passed;
    int giving = count_giving(next);
    if (giving == 0)
        return passed;
    passed.material = 0;
    passed.carried = give_way(passed.carried, next, giving, down);
    for (int i = 0; i < giving; i++)
        note_change(CHANGED, inside_world(next + ivec2(0, i), frame_size(size)));
#endif
    return passed;
}

// Move the run that begins at a place by a row, down (1) or up (-1). On a torus it has an end, or its piece would be
// held.
void move_run(ivec2 top, int down)
{
    ivec2 frame = frame_size(size), step = ivec2(0, down);
    int cells = 1;
    while (label_around(top + ivec2(0, cells)) != 0u)
        cells++;
    ivec2 front = down > 0 ? top + ivec2(0, cells) : top - ivec2(0, 1);
    Atom passed = atom_at(inside_world(front, frame));
    passed = let_water_give_way(passed, top - ivec2(0, 1), top + ivec2(0, cells + max(down, 0)), down);
    for (int cell = 0; cell < cells; cell++)
        put_at(front - step * cell, atom_at(inside_world(front - step * (cell + 1), frame)));
    put_at(front - step * cells, passed);
    mark_active(tick);
}

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    uint tops = 0u, above = label_around(first - ivec2(0, 1));
    for (int row = 0; row < rows; row++) {
        uint label = label_at(first + ivec2(0, row));
        tops |= label != 0u && above == 0u ? 1u << row : 0u;
        above = label;
    }
    for (; tops != 0u; tops &= tops - 1u) {
        ivec2 top = first + ivec2(0, findLSB(tops));
        int down = rows_down(label_at(top));
        if (down != 0)
            move_run(top, down);
    }
}
