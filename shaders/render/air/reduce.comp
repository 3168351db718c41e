#version 430
// Makes the texels of the light from those of the air: what glows in their squares, and how much light passes them.
#include "generated/images.glsl"
#include "render/air/texels.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 light_size;

const int TEXELS = LIGHT_CELLS / AIR_CELLS;
const float THROUGH_LIQUID = 0.88; // share of light that passes LIGHT_CELLS cells of a liquid
const float THROUGH_SOLID = 0.35;  // and of a solid or powder

void main()
{
    ivec2 texel = invocation();
    if (any(greaterThanEqual(texel, light_size)))
        return;
    vec2 glow = vec2(0.0), share = vec2(0.0);
    for (int place = 0; place < TEXELS * TEXELS; place++) {
        Air air = air_of_texel(load_air(texel * TEXELS + ivec2(place % TEXELS, place / TEXELS)));
        glow += air.glow / float(TEXELS * TEXELS);
        share += vec2(air.open, air.liquid) / float(TEXELS * TEXELS);
    }
    float through = mix(THROUGH_SOLID, 1.0, share.x) + (THROUGH_LIQUID - THROUGH_SOLID) * share.y;
    store_light(texel, light_texel(Light(glow, glow, share.x, share.y, through, glow.x)));
}
