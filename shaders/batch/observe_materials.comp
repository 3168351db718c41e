#version 430
// Pack the material of each block of cells of each world of a batch, a byte a block: that with the most cells, of
// several the one with the lowest number. Twin: oracle.observing.materials.
#include "batch/observed.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uint material_of_block(int block)
{
    ivec2 first = first_cell(block);
    uint found = 0u;
    int most = 0;
    for (int cell = 0; cell < pool * pool; cell++) {
        uint own = seen_material(load_cell(cell_of_block(first, cell)));
        int count = 0;
        for (int other = 0; other < pool * pool; other++)
            count += int(seen_material(load_cell(cell_of_block(first, other))) == own);
        if (count > most || (count == most && own < found)) {
            most = count;
            found = own;
        }
    }
    return found;
}

void main()
{
    int word = invocation().x;
    if (!packs(word))
        return;
    uint bytes = 0u;
    for (int part = 0; part < 4; part++)
        if (4 * word + part < blocks())
            bytes |= material_of_block(4 * word + part) << 8 * part;
    pack(word, int(bytes));
}
