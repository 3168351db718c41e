// Random words from seed, tick, stream and position in the whole world: a piece draws the words of the whole world.
// Twin: oracle/chance.py.
#include "lib/domain.glsl"
#include "lib/hash.glsl"
#include "lib/partition.glsl"

// Four random words for a place of the frame in this tick; `use` is the number of the random stream.
uvec4 noise(ivec2 at, uint use)
{
    return pcg4d(uvec4(whole_place(at), world_tick(at), stream_seed(world_seed(at), use)));
}

// Four random words for the 2x2 block that begins at a place.
uvec4 noise_of_block(ivec2 at, uint use)
{
    return pcg4d(uvec4(whole_block(at), world_tick(at), stream_seed(world_seed(at), use)));
}

// Four random words that all cells of the whole world share in this tick; `at` is any place of the world.
uvec4 noise_of_all(ivec2 at, uint use) { return pcg4d(uvec4(0, 0, world_tick(at), stream_seed(world_seed(at), use))); }

// The partition offset of the frame of the world in which `at` lies, each component 0 or 1; see lib/partition.glsl.
ivec2 partition_offset(ivec2 at, uint count, uint use)
{
    return (whole_partition_offset(count, world_seed(at), use) + whole_place(ivec2(0))) & 1;
}
