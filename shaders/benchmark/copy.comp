#version 430
// Copy every texel of one image into another: the greatest speed at which this machine moves bytes. An invocation owns
// a strip of texels, as in a pass. OpenGL neither reads nor writes beyond the image.
#include "generated/images.glsl"
#include "generated/strip.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 first = invocation() * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    for (int y = 0; y < STRIP_HEIGHT; y++)
        for (int x = 0; x < STRIP_WIDTH; x++)
            store_copy(first + ivec2(x, y), load_copy(first + ivec2(x, y)));
}
