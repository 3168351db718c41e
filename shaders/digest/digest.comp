#version 430
// One plane's part of the world's digest: four sums of hashes modulo 2**32, which do not depend on the order of work.
// Derived bits of a texel are left out, as on the host. Twin: gpufluid.core.digest.plane_lanes.
#include "generated/images.glsl"
#include "generated/plane.glsl"
#include "generated/world.glsl"
#include "lib/hash.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = 0) buffer Lanes { uint lanes[]; }; // four words a world

uniform ivec2 size;  // texels, (across, down)
uniform ivec2 first; // the first of them in the image
uniform ivec2 place; // and its place in the plane of the whole world

void main()
{
    int x = invocation().x;
    int top = invocation().y * ROWS;
    if (x >= size.x || top >= size.y)
        return;
    uvec4 sum = uvec4(0);
    for (int y = top; y < min(top + ROWS, size.y); y++) {
        ivec2 at = place + ivec2(x, y);
        sum += pcg4d(uvec4(at, uint(load_plane(first + ivec2(x, y))) & VALUE_MASK, PLANE_NUMBER));
    }
    for (int lane = 0; lane < 4; lane++)
        atomicAdd(lanes[4 * batch_world + lane], sum[lane]);
}
