#version 430
// Pack the sums of some planes over each block of cells of each world of a batch, a word a sum: plane by plane, row by
// row. Twin: oracle.observing.planes.
#include "batch/observed.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    int word = invocation().x;
    if (!packs(word))
        return;
    ivec2 first = first_cell(word % blocks());
    int sum = 0;
    for (int cell = 0; cell < pool * pool; cell++)
        sum += seen_value(word / blocks(), load_cell(cell_of_block(first, cell)));
    pack(word, sum);
}
