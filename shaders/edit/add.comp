#version 430
// Adds a number to a field of the atoms in the cells of a brush, between two ticks, and changes the fields that follow
// it where there is no atom. Twin: oracle.edit.add. Values stay within the field's range.
#include "edit/written.glsl"

// Add to the field of an atom. Returns whether it has changed.
bool add(inout Cell cell)
{
    int old = added_in(cell), new = clamp(old + units, ADDED_LEAST, ADDED_MOST);
    set_added(cell, new);
    return new != old;
}

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec3 run = run_of_invocation();
    for (int x = run.y; x < run.z; x++) {
        ivec2 at = ivec2(x, run.x);
        Cell before = load_cell(at);
        if (!is_chosen(at))
            continue;
        Cell after = before;
        uint material = material_in(before);
        bool changed = material == 0u ? follow(after) : is_taker(material) && add(after);
        if (changed)
            write_cell(at, before, after);
    }
    add_counts();
}
