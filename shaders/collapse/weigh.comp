#version 430
// Sum up the weight of each piece that is not held: the densities of its cells, minus, for each run, the density of the
// cell below the run times the number of cells of the run. In a world with amounts (water by mass or a mixture) the
// weight is four times the densities of the cells, minus, for each cell, the densities of the fluid on both sides of
// its row: after a fall by one row, twice; before and after a rise. So a piece floats as deep as its density requires.
// Law: a sum is the same in any order. Twin: oracle.collapse.weigh.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "lib/domain.glsl"
#include "lib/wide.glsl"
#include "collapse/row_ends.glsl"
#include "collapse/weight.glsl"

#include "collapse/strips.glsl"

// Add to a sum of 64 bits. Exactly one addition sees each overflow of the low word.
void add_weight(uint label, int added)
{
    ivec2 piece = place_of_label(label);
    uvec2 term = wide(added);
    uint before = atomic_add_weight_low(piece, term.x);
    uint high = term.y + (before + term.x < before ? 1u : 0u);
    if (high != 0u)
        atomic_add_weight_high(piece, high);
}

// The number of own cells of the run that ends at a place.
int cells_of_run(ivec2 bottom)
{
    int cells = 1;
    while (is_own(bottom - ivec2(0, cells)) && role_around(bottom - ivec2(0, cells)) == LOOSE)
        cells++;
    return cells;
}

// The density of the cell below a run.
int density_below(ivec2 bottom)
{
#ifdef KNOWS_AHEAD
    if (role_around(bottom + ivec2(0, 1)) == LOOSE)
        return int(load_borders(ivec2(bottom.x, 0)).x); // the run ends in another part
#endif
    return density_at(inside_world(bottom + ivec2(0, 1), frame_size(size)));
}

// The density of the cell below the run that ends at a place, or goes on there in another part of the world, times the
// number of cells of the run that the world computes: by so many rows that cell rises if they fall. Below 2^31, because
// a density is at most 65535 and a run has fewer than 2^15 cells.
int lifted(ivec2 bottom)
{
    int density = density_below(bottom);
    return density == 0 ? 0 : density * cells_of_run(bottom);
}

#ifdef SEES_AMOUNTS
// The fluid beside a row of a piece, on one side. `end` is the place next to its last own cell on that side.
ivec2 fluids_beside(uint label, ivec2 end, int side)
{
    ivec2 at = end;
    int found = find_open(label, at, side);
#ifdef KNOWS_ACROSS
    bool goes_on = role_around(end) == LOOSE;
    if (goes_on || found == BEYOND) {
        uvec2 beyond = load_row_ends(ivec2(end.y, side > 0 ? 0 : 1)).xy;
        return goes_on || (beyond.x & NOT_OPEN) == 0u ? ivec2(beyond) - 1 : fluids_at(end);
    }
#endif
    return fluids_at(found == OPEN ? at : end);
}

// Subtract the fluid that the own cells of one row of a piece displace: the fluid on both sides of the row to which the
// piece would move, and, if it would rise, that on both sides of the row. For a fall the former counts twice: if a fall
// were weighed in the middle of the move, the piece would often rise again. `begin` is the first own cell of the row.
// Where only one side holds fluid, that side counts twice.
void subtract_displaced(uint label, ivec2 begin)
{
    int cells = 1, columns = frame_size(size).x;
    while (cells < columns && is_own(begin + ivec2(cells, 0)) && role_around(begin + ivec2(cells, 0)) == LOOSE)
        cells++;
    ivec2 left = fluids_beside(label, begin - ivec2(1, 0), -1),
          right = fluids_beside(label, begin + ivec2(cells, 0), 1), here = ivec2(left.x, right.x);
    here = ivec2(here.x < 0 ? here.y : here.x, here.y < 0 ? here.x : here.y);
    if (here.x < 0)
        return;
    ivec2 next = ivec2(left.y < 0 ? here.x : left.y, right.y < 0 ? here.y : right.y);
    ivec2 first = is_time_to_rise(begin) ? here : next;
    add_weight(label, -cells * first.x); // each product is below 2^31, as above
    add_weight(label, -cells * first.y);
    add_weight(label, -cells * next.x);
    add_weight(label, -cells * next.y);
}
#endif

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y), weight = 0;
#ifdef SEES_AMOUNTS
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        uint label = label_at(at);
        if (label != 0u && is_own(at) && !is_held(place_of_label(label))) {
            weight += 4 * density_at(at);
            if (role_around(at - ivec2(1, 0)) != LOOSE || !is_own(at - ivec2(1, 0)))
                subtract_displaced(label, at);
            if (role_around(at + ivec2(0, 1)) != LOOSE || row + 1 == rows || !is_own(at + ivec2(0, 1))) {
                add_weight(label, weight);
                weight = 0;
            }
        }
    }
#else
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        uint label = label_at(at);
        if (label != 0u && is_own(at) && !is_held(place_of_label(label))) {
            bool ends = role_around(at + ivec2(0, 1)) != LOOSE || !is_own(at + ivec2(0, 1));
            weight += density_at(at) - (ends ? lifted(at) : 0);
            if (ends || row + 1 == rows) {
                add_weight(label, weight);
                weight = 0;
            }
        }
    }
#endif
}
