// Draws what lies in the air over the rest of a cell: clouds of gas, flames and, at night, the light of what glows.
#include "render/air/around.glsl"
#include "render/air/cell.glsl"

const float THIN_REDDER = 0.55; // part of its glow that the thinnest flame shows: it is red at its edges
const float FLAME_COVER = 0.92; // largest opacity of a flame by day

#ifdef NIGHT
uniform vec3 moonlight; // falls on what the sky can reach

const vec3 HALO = vec3(2.2, 0.8, 0.2); // colour of the light that the air scatters
const float GLINT = 1.5;               // how much more moonlight a surface of liquid reflects
const float SELF = 1.2;                // light that a cell that glows sends by itself, as a factor of its colour
const float FLAME_LIGHT = 1.6;         // light of a flame, as a factor of that of its colour
const float BRIGHT = 0.6;              // light from which on the picture compresses it

vec3 compressed(vec3 light)
{
    vec3 excess = max(light - BRIGHT, vec3(0.0)) / (1.0 - BRIGHT);
    return min(light, vec3(BRIGHT)) + (1.0 - BRIGHT) * (1.0 - exp(-excess));
}

// The light that a cell sends, its square root: that of the lamps around it and of the moon, on what it holds.
vec3 lit(ivec2 cell, Air own, vec3 colour)
{
    Lamp lamp = lamp_around(cell);
    vec3 seen = colour * colour;
    vec3 moon = moonlight * lamp.moon * (1.0 + GLINT * surface_drawn);
    vec3 matter = seen * (moon + mix(lamp.light, vec3(SELF), min(own.ember.x, 1.0)));
    return sqrt(mix(matter, seen + HALO * lamp.halo, own.open));
}
#endif

// The contents of the cell; by day only `open`.
Air air_here(ivec2 cell)
{
#if defined(NIGHT) || defined(WITH_AMOUNTS)
    return air_of_cell(cell);
#else
    int state = kind_of(load_material(cell)).state;
    Air air = NO_AIR;
    air.open = state == STATE_EMPTY || state == STATE_GAS ? 1.0 : 0.0;
    return air;
#endif
}

vec3 draw_air(ivec2 cell, vec3 colour)
{
    Air own = air_here(cell);
#ifdef WITH_FLOW
    if (kind_of(load_material(cell)).state == STATE_EMPTY)
        own.open = 1.0 - water_cover; // rule flow draws levels within a cell
#endif
#ifdef NIGHT
    vec3 ground = colour * colour; // a bright background is not compressed
    colour = lit(cell, own, colour);
#endif
    colour = mix(colour, colour * (1.0 - around.cloud.a) + around.cloud.rgb, own.open);
    float glow = around.flame.y / max(around.flame.x, 1e-4);
    vec3 fire = colour_of_glow(glow * mix(THIN_REDDER, 1.0, around.flame.x));
    float cover = own.open * around.flame.x;
#ifdef NIGHT
    vec3 light = colour * colour + FLAME_LIGHT * fire * fire * cover;
    return sqrt(max(compressed(light), min(light, ground * own.open)));
#else
    return mix(colour, fire, FLAME_COVER * cover);
#endif
}
