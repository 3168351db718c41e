#version 430
// In a part of a world, find at both ends of its own rows what the other parts must know: how far the runs of loose
// solid reach that cross the end, and the labels of the cells near it. Analysis only; ranks exchange the result, see
// gpufluid/cluster/bodies.py, which has the layout.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/atoms.glsl"
#include "collapse/roles.glsl"
#include "lib/domain.glsl"

#include "collapse/strips.glsl"

// The rows on each side of an end whose labels are compared. Twin: gpufluid.rules.collapse.rows_near.
#ifdef KEEPS_MOMENTUM
const int ROWS_NEAR = BELOW_RUN;
#else
const int ROWS_NEAR = NEAR_ROWS;
#endif

// The label of a loose cell; 0 elsewhere, also beyond the part.
uint label_near(ivec2 at) { return !is_beyond(at) && is_loose(at) ? label_at(at) : 0u; }

void store_label_at_side(ivec2 place, uint label) { store_sides(place, label); }

#include "lib/sides.glsl"

// The invocation of a column's first strip works at the upper end, that of the second one at the lower end. Those of
// columns near a border work there.
void main()
{
    ivec2 first = owned_strip();
    int end = first.y / STRIP_HEIGHT;
    if (first.x >= frame_size(size).x)
        return;
    see_sides(first);
    if (end > 1)
        return;
    int most = domain_own.y - domain_own.x, inward = end == 0 ? 1 : -1, cells = 0;
    ivec2 border = ivec2(first.x, end == 0 ? domain_own.x : domain_own.y);
    ivec2 begin = end == 0 ? border : border - ivec2(0, 1);
    while (cells < most && is_loose(begin + ivec2(0, inward * cells)))
        cells++;
    store_borders(ivec2(first.x, end), uvec2(cells, 0u));
    if (end == 1) {
        int under = 0, run = 0;
        while (under < min(most, BELOW_RUN) && !is_loose(begin - ivec2(0, under)))
            under++;
        while (under < BELOW_RUN && under + run < most && is_loose(begin - ivec2(0, under + run)))
            run++;
        store_borders(ivec2(first.x, 2), uvec2(under, run));
    }
    for (int pair = 0; pair < ROWS_NEAR; pair++) {
        ivec2 at = border + ivec2(0, 2 * pair - ROWS_NEAR);
        uvec2 labels = uvec2(label_near(at), label_near(at + ivec2(0, 1)));
        store_borders(ivec2(first.x, 3 + end * ROWS_NEAR + pair), labels);
    }
}
