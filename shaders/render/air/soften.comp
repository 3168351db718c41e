#version 430
// Softens the edges of shadows: the light of a texel is a mean of that around it, of which what is open counts most.
#include "generated/images.glsl"
#include "render/air/texels.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform ivec2 light_size;

const int REACH = 3; // texels
const float WIDTH = 1.5;
const float LEAST = 0.1; // weight of what lets no light pass

void main()
{
    ivec2 texel = invocation();
    if (any(greaterThanEqual(texel, light_size)))
        return;
    Light found = light_of_texel(load_hard(texel));
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (int y = max(texel.y - REACH, 0); y <= min(texel.y + REACH, light_size.y - 1); y++)
        for (int x = max(texel.x - REACH, 0); x <= min(texel.x + REACH, light_size.x - 1); x++) {
            Light other = light_of_texel(load_hard(ivec2(x, y)));
            vec2 away = vec2(x, y) - vec2(texel);
            float weight = exp(-0.5 * dot(away, away) / (WIDTH * WIDTH)) * mix(LEAST, 1.0, other.through);
            sum += weight * vec4(other.near, other.far);
            weights += weight;
        }
    found.near = sum.xy / weights;
    found.far = sum.zw / weights;
    store_light(texel, light_texel(found));
}
