// Random words by seed, tick, use and position in the whole world: a piece of it draws what the whole would.
// Twin: oracle/chance.py.
#include "lib/domain.glsl"
#include "lib/hash.glsl"
#include "lib/partition.glsl"

// Four words for a place of the frame in this tick; `use` tells one use of them from another.
uvec4 noise(ivec2 at, uint use) { return pcg4d(uvec4(whole_place(at), world_tick(at), keyed(world_seed(at), use))); }

// Four words that all places of the whole world have in common in this tick.
uvec4 noise_of_all(uint use) { return pcg4d(uvec4(0, 0, world_tick(ivec2(0)), keyed(world_seed(ivec2(0)), use))); }

// The offset by which blocks begin before multiples of 2 in the world's frame; see lib/partition.glsl.
ivec2 partition_offset(uint count, uint use)
{
    return (whole_partition_offset(count, world_seed(ivec2(0)), use) + whole_place(ivec2(0))) & 1;
}
