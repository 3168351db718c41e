// How rule atoms is drawn: an atom in its material's colour, lighter or darker by its grain.
#include "generated/cell.glsl"
#include "generated/colours.glsl"
#include "generated/materials.glsl"

const float GRAIN_DEPTH = 0.16; // of the brightness, from the darkest grain to the lightest

vec3 draw_atoms(ivec2 cell, vec2 at, vec3 ground)
{
    uint word = imageLoad(cells, cell).r;
    uint number = material_of(word);
    if (STATE_OF[number] == STATE_EMPTY || STATE_OF[number] == STATE_SOLID)
        return ground;
    float light = 1.0 + (float(grain_of(word)) / 255.0 - 0.5) * GRAIN_DEPTH;
    return clamp(COLOUR[number] * light, 0.0, 1.0);
}
