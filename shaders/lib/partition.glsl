// The partition of a substep into 2x2 blocks (Margolus neighbourhood), in the frame of the whole world.
// Twins: oracle.chance.partition_offset, oracle/partition.py.
#include "lib/edges.glsl"
#include "lib/hash.glsl"

// Each four successive substeps use all four partition offsets, in an order drawn at random; along gravity the offsets
// alternate. `count` is the number of substeps since tick 0, `use` the number of the random stream.
ivec2 whole_partition_offset(uint count, uint seed, uint use)
{
    uint order = pcg4d(uvec4(count >> 2, 0u, 0u, stream_seed(seed, use))).x;
    uint phase = count & 3u;
    uvec2 offset = uvec2((phase ^ (phase >> 1)) & 1u, phase & 1u);
    return ivec2((offset ^ uvec2(order, order >> 1)) & 1u);
}

// Test if a block that begins at a place of the frame has cells in the world. On a torus the block that begins one cell
// before the first cell is the last block too.
bool is_block(ivec2 at, ivec2 frame) { return all(lessThan(at, EDGES == EDGES_WRAP ? frame - 1 : frame)); }
