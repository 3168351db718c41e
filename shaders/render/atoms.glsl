// Draws rule atoms: an atom in its material's colour, lighter or darker by its grain. Also the rule's overlays.
#include "generated/cell.glsl"
#include "generated/colours.glsl"
#include "generated/materials.glsl"
#include "lib/edges.glsl"
#include "lib/frame.glsl"
#include "lib/partition.glsl"
#include "render/gases.glsl"

uniform uint seed;
uniform ivec2 frame_origin; // of the world's frame in that of the whole world
uniform uint block_count;   // arguments of partition_offset; set by overlay "blocks" in rules/atoms.py
uniform uint block_use;

const float GAS_COVER = 0.72;     // opacity of a gas atom
const float HAZE_COVER = 0.16;    // opacity that each neighbouring gas atom adds to an empty cell
const float SURFACE_LIGHT = 0.22; // share of white in the colour of a liquid at its surface

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
    return !is_outside(above, size) && STATE_OF[load_material(inside_world(above, size))] == STATE_EMPTY;
}

// The colour of an empty cell: the background, blended with the colours of neighbouring gas atoms, so that a gas looks
// like a cloud and not like separate dots.
vec3 haze(ivec2 cell, vec3 ground)
{
    vec3 colours = vec3(0.0);
    float cover = 0.0;
    for (uint gases = gases_beside(cell); gases != 0u; gases &= gases - 1u) {
        int place = findLSB(gases);
        float part = HAZE_COVER * nearness(place);
        colours += COLOUR[load_material(inside_world(cell + away_at(place), size))] * part;
        cover += part;
    }
    return cover > 0.0 ? mix(ground, colours / cover, min(cover, GAS_COVER)) : ground;
}

vec3 draw_atoms(ivec2 cell, vec2 at, vec3 ground)
{
    uint word = load_cells(cell);
    uint number = material_of(word);
    int state = STATE_OF[number];
    if (state == STATE_EMPTY)
        return haze(cell, ground);
    if (state == STATE_SOLID)
        return ground;
    float shade = float(SHADE_OF[number]) / 256.0;
    vec3 colour = COLOUR[number] * (1.0 + (float(grain_of(word)) / 255.0 - 0.5) * shade);
    if (state == STATE_GAS)
        colour = mix(ground, colour, GAS_COVER);
    if (state == STATE_LIQUID && open_above(cell))
        colour = mix(colour, vec3(1.0), SURFACE_LIGHT);
    return clamp(colour, 0.0, 1.0);
}

// Speed in cells a tick; NOTHING in empty cells.
float overlay_speed(ivec2 cell)
{
    uint word = load_cells(cell);
    if (STATE_OF[material_of(word)] == STATE_EMPTY)
        return NOTHING;
    return length(vec2(velocity_of(word))) / float(VELOCITY_ONE);
}

// The 2x2 blocks of the next tick's first substep as a chessboard, 0 or 1; 2 more in cells that hold an atom.
float overlay_blocks(ivec2 cell)
{
    ivec2 block = (to_frame(cell, size) + frame_origin + whole_partition_offset(block_count, seed, block_use)) >> 1;
    bool matter = STATE_OF[load_material(cell)] != STATE_EMPTY;
    return float(block.x + block.y & 1) + (matter ? 2.0 : 0.0);
}
