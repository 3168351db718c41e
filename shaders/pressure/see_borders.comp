#version 430
// In a part of a world, record the labels of the cells near the borders of its own cells, from which the ranks find the
// bodies that lie in several parts. Analysis only; see gpufluid/cluster/joined_sets.py, which has the layout.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "lib/domain.glsl"
#include "pressure/labelled.glsl"
#include "generated/matter.glsl"

#include "pressure/strips.glsl"

// The label of a liquid cell; 0 elsewhere, also beyond the part. Cells that hold no liquid may have an old label.
uint label_near(ivec2 at)
{
    uint label = !is_beyond(at) && liquid_at(at) != 0u ? label_at(at) : 0u;
    return label == 0u ? 0u : label | mark_of(place_of_label(label));
}

void store_label_at_side(ivec2 place, uint label) { store_body_sides(place, label); }

#include "lib/sides.glsl"

// The invocation of a column's first strip works at the upper end, that of the second one at the lower end. Those of
// columns near a border work there.
void main()
{
    ivec2 first = owned_strip();
    int end = first.y / STRIP_HEIGHT;
    if (first.x >= frame_size(size).x)
        return;
    ivec2 border = ivec2(first.x, end == 0 ? domain_own.x : domain_own.y);
    for (int pair = 0; pair < NEAR.y && end < 2; pair++) {
        ivec2 at = border + ivec2(0, 2 * pair - NEAR.y);
        uvec2 labels = uvec2(label_near(at), label_near(at + ivec2(0, 1)));
        store_body_borders(ivec2(first.x, end * NEAR.y + pair), labels);
    }
    see_sides(first);
}
