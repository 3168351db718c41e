#version 430
// Sum up the weight of each piece that is not held: the densities of its cells, minus, for each run, the density of the
// cell below the run times the number of cells of the run. Law: a sum is the same in any order.
// Twin: oracle.collapse.weigh.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/atoms.glsl"
#include "lib/wide.glsl"
#include "collapse/roles.glsl"
#include "collapse/weight.glsl"

#include "generated/layout.glsl"

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

// The number of cells of the run that ends at a place.
int cells_of_run(ivec2 bottom)
{
    int cells = 1;
    while (role_around(bottom - ivec2(0, cells)) == LOOSE)
        cells++;
    return cells;
}

int density_at(ivec2 at) { return density_of(int(material_at(to_world(at, size)))); }

// The density of the cell below the run that ends at a place, times the number of cells by which that cell rises if the
// run falls. Below 2^31, because a density is at most 65535 and a run has fewer than 2^15 cells.
int lifted(ivec2 bottom)
{
    int density = density_at(inside_world(bottom + ivec2(0, 1), frame_size(size)));
    return density == 0 ? 0 : density * cells_of_run(bottom);
}

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y), weight = 0;
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        uint label = label_at(at);
        if (label != 0u && !is_held(place_of_label(label))) {
            bool ends = role_around(at + ivec2(0, 1)) != LOOSE;
            weight += density_at(at) - (ends ? lifted(at) : 0);
            if (ends || row + 1 == rows) {
                add_weight(label, weight);
                weight = 0;
            }
        }
    }
}
