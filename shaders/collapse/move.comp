#version 430
// Move falling pieces down by one row: each run of a piece in a column changes places with the cell below it. In a
// world with amounts (water by mass or a mixture) also move rising pieces up by one row. Law: a run and the cell below
// or above it belong to one invocation, and to no other run. That cell lies inside the world, because the edge of the
// world holds pieces. Twin: oracle.collapse.move.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "atoms/put.glsl"
#include "collapse/weight.glsl"

#include "generated/layout.glsl"
#include "collapse/waking.glsl"

// The label at a place, which may lie outside the world; 0: no piece.
uint label_around(ivec2 at)
{
    ivec2 frame = frame_size(size);
    return is_outside(at, frame) || !is_labelled(at) ? 0u : label_at(inside_world(at, frame));
}

void put_at(ivec2 at, Atom atom)
{
    ivec2 place = inside_world(at, frame_size(size));
    put(place, atom);
    note_change(CHANGED, place);
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
