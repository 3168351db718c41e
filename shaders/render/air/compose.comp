#version 430
// Blurs the air along columns, and makes from it and the light what pictures draw: clouds, flames, the depth of liquids
// and, at night, the light that falls on a place. A colour times itself is about the light that it sends.
#include "generated/images.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

#include "generated/drawn.glsl"
#include "render/air/walk.glsl"
#include "render/glow.glsl"

uniform ivec2 light_size;

const float CLOUD = 3.5;        // optical depth of a cloud in which each cell holds gas
const float CLOUD_COVER = 0.85; // largest opacity of a cloud
const float ROUND = 0.45;       // how much lighter the top of a cloud is than its underside
const float FLAME = 4.0;        // optical depth of a flame in which each cell glows
const int TEXELS = LIGHT_CELLS / AIR_CELLS;

Light light_around(ivec2 texel)
{
    vec2 at = (vec2(texel) + 0.5) / float(TEXELS) - 0.5;
    ivec2 first = ivec2(floor(at));
    vec2 part = at - vec2(first);
    Light found = Light(vec2(0.0), vec2(0.0), 0.0, 0.0, 0.0, 0.0);
    for (int place = 0; place < 4; place++) {
        ivec2 corner = ivec2(place & 1, place >> 1);
        Light there = light_of_texel(load_light(clamp(first + corner, ivec2(0), light_size - 1)));
        vec2 weights = mix(1.0 - part, part, vec2(corner));
        float weight = weights.x * weights.y;
        found.open += weight * there.open;
        found.liquid += weight * there.liquid;
#ifdef NIGHT
        found.near += weight * there.near;
        found.far += weight * there.far;
        found.halo += weight * there.halo;
#endif
    }
    return found;
}

// The depth of a place below a surface of liquid, 0 to 1.
float depth_in(Light around) { return smoothstep(0.5, 1.0, around.liquid / max(around.open + around.liquid, 1e-4)); }

#ifdef NIGHT
uniform vec3 moonlight;

const float SHADE = 0.45;      // share of the moonlight that reaches what lies deep below
const float LAMP_NEAR = 0.025; // amount of light near by that is one unit
const float LAMP_FAR = 0.012;
const float LAMP_WHITE = 0.25; // share of white in the light of what glows

vec3 colour_of_light(vec2 light)
{
    vec3 colour = colour_of_glow(light.y / max(light.x, 1e-4));
    return mix(colour * colour, vec3(1.0, 0.8, 0.6), LAMP_WHITE);
}

Lamp lamp_of(Light around)
{
    vec3 sum = colour_of_light(around.near) * around.near.x / LAMP_NEAR;
    sum += colour_of_light(around.far) * around.far.x / LAMP_FAR;
    float most = max(sum.r, max(sum.g, sum.b));
    return Lamp(sum / (1.0 + most / LAMP_MOST), mix(SHADE, 1.0, smoothstep(0.0, 0.5, around.open)), around.halo);
}
#endif

void main()
{
    ivec2 texel = invocation();
    if (any(greaterThanEqual(texel, air_size)))
        return;
    float slope;
    Air air = air_along(ivec2(0, 1), texel, slope);
    Light light = light_around(texel);
    vec3 smoke = air.smoke.rgb / max(air.smoke.a, 1e-4) * (1.0 + ROUND * clamp(slope * 4.0, -0.5, 0.5));
#ifdef NIGHT
    Lamp lamp = lamp_of(light);
    smoke *= sqrt(moonlight + lamp.light);
    store_lamps(texel, lamp_texel(lamp));
#endif
    float cover = CLOUD_COVER * (1.0 - exp(-CLOUD * density_of(air)));
    float flame = 1.0 - exp(-FLAME * air.glow.x);
    float glow = air.glow.y / max(air.glow.x, 1e-4);
    vec4 cloud = vec4(smoke, 1.0) * cover;
    store_around(texel, around_texel(Around(cloud, vec2(1.0, glow) * flame, depth_in(light), air.cells)));
}
