// The texels in which the survey of the air around cells is kept. All numbers are 0 to 1, in 16 bits, or in 8 in the
// texels that pictures read. Most are means over the cells of the texel's square, of AIR_CELLS or LIGHT_CELLS a side.
#include "generated/air.glsl"

// The contents of the air: gas, flames, and their amounts.
struct Air {
    vec4 smoke;   // colour times density; density: the share of cells with gas that does not glow
    vec2 glow;    // share of cells with gas that glows; the same times how much each of them glows
    float open;   // share of cells that hold no solid, powder or liquid
    float liquid; // share of cells that hold a liquid
    uint cells;   // a bit for each cell of the square, row by row: it is solid; and four more: it is empty
    vec2 ember;   // as glow, of what is no gas; no texel keeps it
};

const Air NO_AIR = Air(vec4(0.0), vec2(0.0), 0.0, 0.0, 0u, vec2(0.0));
const uint FIRST_EMPTY = 4u; // the bit of the first cell that says if it is empty

uvec4 air_texel(Air air)
{
    return uvec4(packUnorm2x16(air.smoke.rg), packUnorm2x16(air.smoke.ba), packUnorm2x16(air.glow),
                 packUnorm4x8(vec4(air.open, air.liquid, 0.0, 0.0)) | air.cells << 16u);
}

Air air_of_texel(uvec4 texel)
{
    vec4 share = unpackUnorm4x8(texel.w);
    return Air(vec4(unpackUnorm2x16(texel.x), unpackUnorm2x16(texel.y)), unpackUnorm2x16(texel.z), share.x, share.y,
               texel.w >> 16u, vec2(0.0));
}

// Light that comes from what glows, and what stands in its way.
struct Light {
    vec2 near;  // light from close by: its amount; the same times the glow of what sends it
    vec2 far;   // the same from further away
    float open; // shares, as of Air
    float liquid;
    float through; // share of light that passes the texel
    float halo;    // light from further away, whatever stands in its way
};

uvec4 light_texel(Light light)
{
    return uvec4(packUnorm2x16(light.near), packUnorm2x16(light.far), packUnorm2x16(vec2(light.open, light.liquid)),
                 packUnorm2x16(vec2(light.through, light.halo)));
}

Light light_of_texel(uvec4 texel)
{
    vec2 share = unpackUnorm2x16(texel.z), rest = unpackUnorm2x16(texel.w);
    return Light(unpackUnorm2x16(texel.x), unpackUnorm2x16(texel.y), share.x, share.y, rest.x, rest.y);
}

// The air as a picture draws it, and the depth of a place in a liquid.
struct Around {
    vec4 cloud; // colour times opacity; opacity
    vec2 flame; // opacity; opacity times glow
    float depth;
    uint cells; // as of Air
};

const Around NOTHING_AROUND = Around(vec4(0.0), vec2(0.0), 0.0, 0u);

uvec2 around_texel(Around around)
{
    return uvec2(packUnorm4x8(around.cloud), packUnorm4x8(vec4(around.flame, around.depth, 0.0)) | around.cells << 24u);
}

Around around_of_texel(uvec2 texel)
{
    vec4 rest = unpackUnorm4x8(texel.y);
    return Around(unpackUnorm4x8(texel.x), rest.xy, rest.z, texel.y >> 24u);
}

// The light at a place at night.
struct Lamp {
    vec3 light; // from what glows
    float moon; // share of the moonlight
    float halo; // light that the air scatters
};

const float LAMP_MOST = 3.5; // light that no lamp passes

uvec2 lamp_texel(Lamp lamp)
{
    return uvec2(packUnorm4x8(vec4(sqrt(lamp.light / LAMP_MOST), lamp.moon)), packUnorm2x16(vec2(lamp.halo, 0.0)));
}

Lamp lamp_of_texel(uvec2 texel)
{
    vec4 found = unpackUnorm4x8(texel.x);
    return Lamp(LAMP_MOST * found.rgb * found.rgb, found.a, unpackUnorm2x16(texel.y).x);
}
