#version 430
// In a part of a world without whole rows, find at both ends of its own columns what the other parts must know of rows
// of pieces, and of overhangs, that cross the end: the fluid beside their other ends. Analysis only; ranks exchange the
// result, see gpufluid/cluster/row_ends.py.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "collapse/row_ends.glsl"

#include "collapse/strips.glsl"

// The texel of scratch `row_ends` for a row, looking from its first own cell to a side. The cell belongs to a piece
// that crosses the border, or lies under one; in other rows no other part reads the texel.
uvec2 seen_from(ivec2 at, int side)
{
    ivec2 end = at;
    while (is_own(end) && is_loose(end))
        end.x += side;
    if (end != at && role_around(end) == LOOSE)
        return uvec2(GOES_ON, 0u);
    ivec2 of_piece = end == at ? at - ivec2(0, 1) : at, open = end;
    if (role_around(of_piece) != LOOSE)
        return uvec2(0u);
    int found = find_open(label_at(inside_world(of_piece, frame_size(size))), open, side);
    uint more = found == BEYOND ? GOES_ON : 0u;
    if (end == at && found != OPEN)
        return uvec2(more | NOT_OPEN, 0u);
    ivec2 fluids;
    if (end != at && (found != OPEN || open == end))
        fluids = fluids_in_gap(end, side, gaps_beside(at));
    else
        fluids = fluids_beyond(found == OPEN ? open : end);
    uvec2 seen = uvec2(fluids + 1);
    return uvec2(seen.x | more, seen.y);
}

// The invocations of the first own column look to the right, those of the last one to the left.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    for (int end = 0; end < 2; end++) {
        bool is_there = first.x == (end == 0 ? domain_own_columns.x : domain_own_columns.y - 1);
        for (int row = 0; row < (is_there ? rows : 0); row++) {
            ivec2 at = first + ivec2(0, row);
            if (is_own(at))
                store_row_ends(ivec2(at.y, end), seen_from(at, end == 0 ? 1 : -1));
        }
    }
}
