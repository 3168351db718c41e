// The colour of a liquid by its depth.
#include "render/air/around.glsl"
#include "render/glow.glsl"

const vec3 DEEP = vec3(0.42, 0.58, 0.74); // the colour of the deepest liquid, as a factor
const float DEEP_COVER = 0.75;

// The colour of a liquid where the cell lies that is drawn; what glows by itself is not darker where it is deep.
vec3 at_depth(vec3 colour, uint number)
{
    float glows = step(1e-4, glow_of_material(number));
    return colour * mix(vec3(1.0), DEEP, DEEP_COVER * around.depth * (1.0 - glows));
}
