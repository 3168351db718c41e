#version 430
// Spreads light along one axis, both ways, as far as what stands in the way lets it pass, and blurs how open the world
// is. Light goes along the rows and then along the columns, or the other way round; a picture uses the mean of both, so
// that no axis is favoured.
#include "generated/images.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

#include "generated/drawn.glsl"
#include "render/air/bell.glsl"
#include "render/air/texels.glsl"

uniform ivec2 light_size;
uniform ivec2 axis;       // (1, 0) or (0, 1)
uniform float from_other; // weight of the image `other`

const float NEAR = 3.0, FAR = 9.0; // standard deviations, in texels

void main()
{
    ivec2 texel = invocation();
    if (any(greaterThanEqual(texel, light_size)))
        return;
    Light own = light_of_texel(load_sent(texel));
    Light sum = own;
    sum.open *= bell(0, NEAR);
    sum.liquid *= bell(0, NEAR);
#ifdef NIGHT
    sum.near *= bell(0, NEAR);
    sum.far *= bell(0, FAR);
    sum.halo *= bell(0, FAR);
#endif
    for (int side = -1; side <= 1; side += 2) {
        float passed = 1.0; // share of light that passes all texels on the way
        for (int away = 1; away <= LIGHT_REACH; away++) {
            ivec2 other = texel + side * away * axis;
            if (any(lessThan(other, ivec2(0))) || any(greaterThanEqual(other, light_size)))
                break;
            Light found = light_of_texel(load_sent(other));
            sum.open += bell(away, NEAR) * found.open;
            sum.liquid += bell(away, NEAR) * found.liquid;
#ifdef NIGHT
            sum.near += bell(away, NEAR) * passed * found.near;
            sum.far += bell(away, FAR) * passed * found.far;
            sum.halo += bell(away, FAR) * found.halo;
            passed *= found.through;
#endif
        }
    }
#ifdef NIGHT
    Light other = light_of_texel(load_other(texel));
    sum.near = mix(sum.near, other.near, from_other);
    sum.far = mix(sum.far, other.far, from_other);
#endif
    store_light(texel, light_texel(sum));
}
