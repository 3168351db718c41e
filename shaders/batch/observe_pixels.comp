#version 430
// Pack the mean colour of each block of cells of each world of a batch, a word a block: red in the lowest byte.
// Twin: oracle.observing.pixels.
#include "batch/observed.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    int word = invocation().x;
    if (!packs(word))
        return;
    ivec2 first = first_cell(word);
    ivec3 sum = ivec3(0);
    for (int cell = 0; cell < pool * pool; cell++)
        sum += seen_colour(load_cell(cell_of_block(first, cell)));
    ivec3 mean = sum / (pool * pool);
    pack(word, mean.r | mean.g << 8 | mean.b << 16);
}
