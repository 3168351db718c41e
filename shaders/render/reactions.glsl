// How rule reactions is drawn: what has lost parts of itself is darker, or has the colour of what it turns into; and
// its overlays.
#include "generated/cell.glsl"
#include "generated/colours.glsl"
#include "generated/materials.glsl"
#include "generated/reactions.glsl"

const float OLD_THINNER = 0.7; // how far the oldest gas has faded

// Parts of 256 that are left of what lies in a cell.
float parts_left(ivec2 cell) { return float((load_integrity(cell) + 255u) & 255u) + 1.0; }

// Smoke thins as it ages; what a gas keeps of latent heat is no age.
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

// Of what changes its state by heat the age keeps latent heat.
float overlay_age(ivec2 cell)
{
    bool ages = is_matter(cell) && !keeps_latent(load_material(cell));
    return ages ? float(load_age(cell)) : NOTHING;
}
