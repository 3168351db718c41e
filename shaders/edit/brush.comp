#version 430
// Lays a material in the cells of a brush, between two ticks. Twin: oracle.edit.brush. The cells are those of some
// runs, or those of them that are drawn at random. These cells stay as they are: cells that do not hold the material to
// replace; if only_new, cells that hold enough of the material already; if spares_walls, anchored solids.
#include "edit/written.glsl"
#include "lib/hash.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

bool holds(Cell cell, int number, int among_amounts)
{
    if (among_amounts >= 0)
        return amount_in(cell, among_amounts) > 0;
    return material_in(cell) == uint(number) && !has_amounts(cell);
}

// Mix an amount with what is in a cell without an atom: it then holds at least as much of it. Materials that share the
// room of a cell become less, all by the same factor, where there is no room for them. What is mixed in has the
// temperature of its material, and what gives way takes its share of the heat along.
Cell mixed(Cell cell)
{
    if (material_in(cell) != 0u)
        return cell;
    Cell before = cell;
    int own = max(amount_in(cell, amount_number), amount);
    set_amount(cell, amount_number, own);
    if (shares_room(amount_number))
        limit_others(cell, amount_number, FULL - own);
    mix_heat(before, cell, warmer);
    return cell;
}

void lay(ivec2 at)
{
    Cell before = load_cell(at);
    bool chosen = is_chosen(at) && (replaced < 0 || holds(before, replaced, replaced_amount));
    if (only_new && chosen)
        chosen = amount_number >= 0 ? amount_in(before, amount_number) < amount : !holds(before, material, -1);
    uint there = material_in(before);
    if (spares_walls && chosen && is_anchored(there)) {
        chosen = false;
        if (there != uint(material))
            note_spared(there);
    }
    if (!chosen)
        return;
    Cell after = before;
    if (mixes)
        after = mixed(before);
    else {
        after = load_sample();
        if (draws)
            draw_bytes(after, whole_position(at), serial);
    }
    write_cell(at, before, after);
}

void main()
{
    ivec3 run = run_of_invocation();
    for (int x = run.y; x < run.z; x++)
        lay(ivec2(x, run.x));
    add_counts();
}
