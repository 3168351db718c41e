// Draws rule atoms: an atom in its material's colour, lighter or darker by its grain; air.glsl draws its gases as
// clouds. Also the rule's overlays.
#include "generated/cell.glsl"
#include "generated/colours.glsl"
#include "generated/materials.glsl"
#include "lib/edges.glsl"
#include "lib/frame.glsl"
#include "lib/partition.glsl"
#include "render/depth.glsl"
#include "render/glow_of_cell.glsl"

uniform uint seed;
uniform ivec2 frame_origin; // of the world's frame in that of the whole world
uniform uint block_count;   // arguments of partition_offset; set by overlay "blocks" in rules/atoms.py
uniform uint block_use;

const float OWN_ATOM = 0.05;      // opacity of an atom of gas within its cloud
const float OWN_FLAME = 0.5;      // and of one that glows within its flame
const float SURFACE_LIGHT = 0.35; // share of white in the colour of a liquid at its surface

// The direction against gravity.
ivec2 up()
{
    return GRAVITY == GRAVITY_UP   ? ivec2(0, 1)
        : GRAVITY == GRAVITY_LEFT  ? ivec2(1, 0)
        : GRAVITY == GRAVITY_RIGHT ? ivec2(-1, 0)
                                   : ivec2(0, -1);
}

bool open_above(ivec2 cell)
{
    ivec2 above = cell + up();
#ifdef WITH_AIR
    return !is_outside(above, size) && is_beside(above, 1);
#else
    return !is_outside(above, size) && kind_of(load_material(inside_world(above, size))).state == STATE_EMPTY;
#endif
}

vec3 draw_atoms(ivec2 cell, vec2 at, vec3 ground)
{
    uint word = load_cells(cell);
    uint number = material_of(word);
    int state = kind_of(number).state;
    if (state == STATE_EMPTY || state == STATE_SOLID)
        return ground;
    float shade = shade_of(number);
    vec3 colour = colour_of(number) * (1.0 + (float(grain_of(word)) / 255.0 - 0.5) * shade);
    if (state == STATE_GAS) {
        float glow = glow_of(cell, number), light = light_of_glow(glow);
        return mix(ground, mix(colour, colour_of_glow(glow), light), mix(OWN_ATOM, OWN_FLAME, light));
    }
    if (state == STATE_LIQUID)
        colour = at_depth(colour, number);
    surface_drawn = state == STATE_LIQUID && open_above(cell) ? 1.0 : 0.0;
    if (surface_drawn > 0.0)
        colour = mix(colour, vec3(1.0), SURFACE_LIGHT);
    return clamp(colour, 0.0, 1.0);
}

// Speed in cells a tick; NOTHING in empty cells.
float overlay_speed(ivec2 cell)
{
    uint word = load_cells(cell);
    if (kind_of(material_of(word)).state == STATE_EMPTY)
        return NOTHING;
    return length(vec2(velocity_of(word))) / float(VELOCITY_ONE);
}

// The 2x2 blocks of the next tick's first substep as a chessboard, 0 or 1; 2 more in cells that hold an atom.
float overlay_blocks(ivec2 cell)
{
    ivec2 block = (to_frame(cell, size) + frame_origin + whole_partition_offset(block_count, seed, block_use)) >> 1;
    bool matter = kind_of(load_material(cell)).state != STATE_EMPTY;
    return float(block.x + block.y & 1) + (matter ? 2.0 : 0.0);
}
