// An observation of each world of a batch, which is packed into words: blocks of cells, row by row.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/observed.glsl"

layout(std430, binding = 0) writeonly buffer PackedBuffer { int packed_words[]; };

uniform int pool;         // cells a side of a block
uniform int results;      // words or bytes of each block; a word has four bytes
uniform bool bytes;       // whether a block has a byte; else a word for each result
uniform int first_packed; // the first world that this dispatch packs
uniform int packed_count; // the number of worlds that it packs

int blocks() { return (size.x / pool) * (size.y / pool); }

int words_a_world() { return bytes ? (blocks() + 3) / 4 : results * blocks(); }

int packed_world() { return batch_world - first_packed; }

// Test if this invocation has a word to pack: its index lies within its world, and the dispatch packs that world.
bool packs(int word) { return word < words_a_world() && packed_world() >= 0 && packed_world() < packed_count; }

void pack(int word, int value) { packed_words[packed_world() * words_a_world() + word] = value; }

ivec2 first_cell(int block)
{
    int across = size.x / pool;
    return pool * ivec2(block % across, block / across);
}

ivec2 cell_of_block(ivec2 first, int cell) { return first + ivec2(cell % pool, cell / pool); }
