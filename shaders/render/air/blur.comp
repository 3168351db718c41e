#version 430
// Blurs the air along rows, but not through what stands in the way: gas and flames become clouds that are smooth over
// several cells.
#include "generated/images.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

#include "render/air/walk.glsl"

void main()
{
    ivec2 texel = invocation();
    if (any(greaterThanEqual(texel, air_size)))
        return;
    float slope;
    store_air(texel, air_texel(air_along(ivec2(1, 0), texel, slope)));
}
