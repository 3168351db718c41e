// Draws rule reactions: a cell that lost integrity is darker, or blends into the colour of the material it becomes.
// Also the rule's overlays.
#include "generated/cell.glsl"
#include "generated/colours.glsl"
#include "generated/materials.glsl"
#include "generated/reactions.glsl"

const float OLD_THINNER = 0.7; // transparency of the oldest gas

// Integrity of a cell, 1 to 256 parts.
float parts_left(ivec2 cell) { return float((load_integrity(cell) + 255u) & 255u) + 1.0; }

// Gases fade with age, except those whose age field holds latent heat.
vec3 draw_reactions(ivec2 cell, vec2 at, vec3 ground)
{
    uint number = load_material(cell);
    if (STATE_OF[number] == STATE_EMPTY)
        return ground;
    vec3 colour = mix(ground, WORN[number], 1.0 - parts_left(cell) / float(WHOLE));
    bool thins = STATE_OF[number] == STATE_GAS && !keeps_latent(number);
    float age = float(load_age(cell)) / 255.0;
    return thins ? mix(colour, COLOUR[0], OLD_THINNER * age) : colour;
}

float overlay_integrity(ivec2 cell) { return is_matter(cell) ? parts_left(cell) : NOTHING; }

// Age; NOTHING in empty cells and where the age field holds latent heat.
float overlay_age(ivec2 cell)
{
    bool ages = is_matter(cell) && !keeps_latent(load_material(cell));
    return ages ? float(load_age(cell)) : NOTHING;
}
