// The integer hash that makes all random numbers. Twin: gpufluid/core/hashing.py. Source: Jarzynski & Olano 2020, "Hash
// Functions for GPU Rendering", JCGT 9(3).

uvec4 pcg4d_mix(uvec4 v)
{
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    return v;
}

uvec4 pcg4d(uvec4 words)
{
    uvec4 v = pcg4d_mix(words * 1664525u + 1013904223u);
    return pcg4d_mix(v ^ (v >> 16u));
}

// The seed of a random stream; different streams get different seeds.
uint stream_seed(uint seed, uint use) { return seed + use * 0x9E3779B9u; }
