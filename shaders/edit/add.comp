#version 430
// Adds a number to a field of the atoms in the cells of a brush, between two ticks. Twin: oracle.edit.add. Values stay
// within the field's range.
#include "edit/written.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec3 run = run_of_invocation();
    for (int x = run.y; x < run.z; x++) {
        ivec2 at = ivec2(x, run.x);
        Cell before = load_cell(at);
        int old = added_in(before), new = clamp(old + units, ADDED_LEAST, ADDED_MOST);
        if (new == old || !is_taker(material_in(before)) || !is_chosen(at))
            continue;
        Cell after = before;
        set_added(after, new);
        write_cell(at, before, after);
    }
    add_counts();
}
