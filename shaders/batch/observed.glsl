// An observation of each world of a batch, which is packed into words: blocks of cells, row by row.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/observed.glsl"

layout(std430, binding = 0) writeonly buffer PackedBuffer { int packed_words[]; };

uniform int pool;    // cells a side of a block
uniform int results; // words or bytes of each block; a word has four bytes
uniform bool bytes;  // whether a block has a byte; else a word for each result

int blocks() { return (size.x / pool) * (size.y / pool); }

int words_a_world() { return bytes ? (blocks() + 3) / 4 : results * blocks(); }

void pack(int word, int value) { packed_words[batch_world * words_a_world() + word] = value; }

ivec2 first_cell(int block)
{
    int across = size.x / pool;
    return pool * ivec2(block % across, block / across);
}

ivec2 cell_of_block(ivec2 first, int cell) { return first + ivec2(cell % pool, cell / pool); }
