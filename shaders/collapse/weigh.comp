#version 430
// Sum up the weight of each piece that may move: four times GAP_SAMPLES times the densities of its cells, minus, for
// each cell, the densities of the fluid beside both ends of its row, at two places ahead: those after a fall by one
// row, or before and after a rise, or farther ahead in a narrow gap. So a piece floats as deep as its density requires.
// Law: a sum is the same in any order. Twin: oracle.collapse.weigh.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "lib/domain.glsl"
#include "lib/wide.glsl"
#include "collapse/row_ends.glsl"
#include "collapse/weight.glsl"

#include "collapse/strips.glsl"

// Add a number of 64 bits, the low word first, to the weight of a piece. Exactly one addition sees each overflow of the
// low word.
void add_weight(uint label, uvec2 term)
{
    ivec2 piece = place_of_label(label);
    uint before = atomic_add_weight_low(piece, term.x);
    uint high = term.y + (before + term.x < before ? 1u : 0u);
    if (high != 0u)
        atomic_add_weight_high(piece, high);
}

// The fluid beside a row of a piece, on one side. `end` is the place next to its last own cell on that side.
ivec2 fluids_beside(uint label, ivec2 end, int side, Gaps gaps)
{
    ivec2 at = end;
    int found = find_open(label, at, side);
#ifdef KNOWS_ACROSS
    bool goes_on = role_around(end) == LOOSE;
    if (goes_on || found == BEYOND) {
        uvec2 beyond = load_row_ends(ivec2(end.y, side > 0 ? 0 : 1)).xy;
        return goes_on || (beyond.x & NOT_OPEN) == 0u ? ivec2(beyond) - 1 : fluids_in_gap(end, side, gaps);
    }
#endif
    return found == OPEN && at != end ? fluids_beyond(at) : fluids_in_gap(end, side, gaps);
}

// Subtract the fluid that the own cells of one row of a piece displace in the middle of the move, on both sides of it.
// `begin` is the first own cell of the row. Where only one side holds fluid, that side counts twice.
void subtract_displaced(uint label, ivec2 begin)
{
    int cells = 1, columns = frame_size(size).x;
    Gaps gaps = gaps_beside(begin);
    while (cells < columns && is_own(begin + ivec2(cells, 0)) && role_around(begin + ivec2(cells, 0)) == LOOSE)
        cells++;
    ivec2 left = fluids_beside(label, begin - ivec2(1, 0), -1, gaps),
          right = fluids_beside(label, begin + ivec2(cells, 0), 1, gaps);
    left = left.x < 0 ? right : left;
    right = right.x < 0 ? left : right;
    if (left.x < 0)
        return;
    ivec2 sum = left + right;
    int high, low;
    imulExtended(-cells, sum.x + sum.y, high, low);
    add_weight(label, uvec2(low, high));
}

// The loops are separate; see reactions/react.comp for the reason.
void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    uint loose = 0u, begins = 0u;
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        loose |= label_at(at) != 0u && is_own(at) ? 1u << row : 0u;
    }
    for (uint left = loose; left != 0u; left &= left - 1u) {
        int row = findLSB(left);
        ivec2 at = first + ivec2(0, row);
        uint own = left & -left;
        loose &= stays(place_of_label(label_at(at))) ? ~own : 0xFFFFFFFFu;
        ivec2 before = at - ivec2(1, 0);
        begins |= role_around(before) != LOOSE || !is_own(before) ? own : 0u;
    }
    int weight = 0;
    for (uint left = loose; left != 0u;) {
        ivec2 at = first + ivec2(0, findLSB(left));
        weight += 4 * GAP_SAMPLES * density_at(at);
        uint next = (left & -left) << 1;
        left &= left - 1u;
        if ((left & next) == 0u) { // the last cell of a run in the strip
            add_weight(label_at(at), wide(weight));
            weight = 0;
        }
    }
    for (uint left = loose & begins; left != 0u; left &= left - 1u) {
        ivec2 at = first + ivec2(0, findLSB(left));
        subtract_displaced(label_at(at), at);
    }
}
