#version 430
// The exact sum of an image of 64-bit counts, low word first: a few bytes to read back, however large the world is.
// Integer sums with carries do not depend on the order of work.
#include "generated/images.glsl"
#include "generated/world.glsl"
#include "lib/wide.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = 0) buffer Sum { uint sums[]; }; // two words a world

uniform ivec2 size;
uniform int rows; // the rows that an invocation sums

void main()
{
    int x = invocation().x;
    int top = invocation().y * rows;
    if (x >= size.x || top >= size.y)
        return;
    uvec2 part = uvec2(0);
    for (int y = top; y < min(top + rows, size.y); y++)
        part = add64(part, load_counts(ivec2(x, y)));
    if (part == uvec2(0))
        return;
    ATOMIC_ADD64(sums, 2 * batch_world, part)
}
