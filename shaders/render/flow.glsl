// Draws rule flow: water as a level within its cell, deeper blue under pressure. Also the rule's overlays.
#include "flow/around.glsl"
#include "generated/laws_of_amounts.glsl" // defines BESIDE_ATOMS
#include "lib/flow.glsl"
#include "render/place.glsl"

const vec3 WATER_DEEP = vec3(0.06, 0.20, 0.50);
const vec3 WATER_SURFACE = vec3(0.62, 0.83, 0.97);

const ivec2 UP = ivec2(0, -1), DOWN = ivec2(0, 1), LEFT = ivec2(-1, 0), RIGHT = ivec2(1, 0); // in gravity's frame

float water_cover = 0.0; // opacity of the water where draw_flow has drawn last

// The texel beside a cell, at an offset in gravity's frame. Beside atoms its mark is made anew: until the next tick's
// flow.walls the marks of cells whose atoms a drain has taken are out of date.
int texel_beside(ivec2 cell, ivec2 offset)
{
    ivec2 at = to_frame(cell, size) + offset;
    int texel = texel_around(at);
#ifdef BESIDE_ATOMS
    ivec2 frame = frame_size(size);
    bool solid = load_material(to_world(inside_world(at, frame), size)) != 0u;
    texel = is_outside(at, frame) ? texel : texel_with(amount_of_texel(texel), solid);
#endif
    return texel;
}

// Relative depth by compression: 0 without pressure, 1 at the bottom of a world full of water.
float depth_of(float units)
{
    float deepest = max(float(MAX_COMPRESS) * float(frame_size(world_size).y), 1.0);
    return clamp((units - float(MAX_MASS)) / deepest, 0.0, 1.0);
}

// A neighbour's mass, or the cell's own mass where the neighbour has no water.
int mass_beside(ivec2 cell, ivec2 offset, int units)
{
    int neighbour = free_of_texel(texel_beside(cell, offset));
    return neighbour > MIN_MASS ? neighbour : units;
}

// Depth for the colour, averaged with the four neighbours. While water compresses, neighbouring cells alternate in
// density by less than max_compress; the average hides this chequerboard pattern (the overlays show it).
float shown_depth(ivec2 cell, int units)
{
    float around = float(mass_beside(cell, UP, units)) + float(mass_beside(cell, DOWN, units)) +
        float(mass_beside(cell, LEFT, units)) + float(mass_beside(cell, RIGHT, units));
    return sqrt(depth_of(float(units) / 2.0 + around / 8.0));
}

const float WATER_SURFACE_SHARE = 0.4; // share of WATER_SURFACE in a cell at the surface that is too small for a rim

// The distance from the upper side of a cell in gravity's frame, in cells, of a place in it in the world's directions.
float depth_in_cell(vec2 at)
{
    float down = UPRIGHT ? at.y : at.x;
    return GRAVITY == GRAVITY_UP || GRAVITY == GRAVITY_LEFT ? 1.0 - down : down;
}

// Water at rest is drawn as a level, across gravity. Water that falls or is covered by water fills its whole cell, with
// opacity by mass: drawn as levels, a falling column would have a gap in each cell. So does all water without gravity.
vec3 draw_flow(ivec2 cell, vec2 at, vec3 ground)
{
    int units = load_free_mass(cell);
    water_cover = 0.0;
    if (units <= MIN_MASS)
        return ground;
    float fill = min(float(units) / float(MAX_MASS), 1.0);
    vec3 colour = mix(colour_of(uint(MATERIAL_WATER)), WATER_DEEP, shown_depth(cell, units));
    int above = texel_beside(cell, UP), below = texel_beside(cell, DOWN);
    bool covered = free_of_texel(above) > MIN_MASS;
    bool surface = GRAVITY != GRAVITY_OFF && !covered && !is_solid_texel(above);
    surface_drawn = surface && zoom < 4 ? fill : 0.0;
    colour = mix(colour, WATER_SURFACE, WATER_SURFACE_SHARE * surface_drawn);
    bool supported = is_solid_texel(below) || free_of_texel(below) * 2 > MAX_MASS;
    if (zoom < 2 || covered || !supported || GRAVITY == GRAVITY_OFF) {
        water_cover = max(fill, 0.8 * sqrt(fill)); // sqrt keeps a thin stream visible
        return mix(ground, colour, water_cover);
    }
    float depth_in_pixels = (depth_in_cell(at) - (1.0 - fill)) * float(zoom);
    water_cover = clamp(depth_in_pixels + 0.5, 0.0, 1.0);
    float rim = zoom >= 4 && surface ? clamp(2.0 - depth_in_pixels, 0.0, 1.0) * 0.8 : 0.0;
    surface_drawn = max(surface_drawn, rim);
    return mix(ground, mix(colour, WATER_SURFACE, rim), water_cover);
}

// Overlays; NOTHING in cells without water.

float overlay_mass(ivec2 cell)
{
    int units = load_free_mass(cell);
    return units <= MIN_MASS ? NOTHING : float(units) / float(FULL);
}

float overlay_pressure(ivec2 cell)
{
    int units = load_free_mass(cell);
    return units <= MIN_MASS ? NOTHING : float(max(units - MAX_MASS, 0)) / float(FULL);
}

// Sum of the cell's outflows in the next substep, if the left side is served first.
float overlay_flow(ivec2 cell)
{
    Outflow sent = outflow(load_mass_texel(cell), texel_beside(cell, DOWN), texel_beside(cell, LEFT),
                           texel_beside(cell, RIGHT), texel_beside(cell, UP));
    return load_free_mass(cell) == 0 ? NOTHING : float(total(sent)) / float(FULL);
}
