// Draws rule reactions: a cell that lost integrity is darker, or blends into the colour of the material it becomes.
// Also the rule's overlays.
#include "generated/cell.glsl"
#include "generated/colours.glsl"
#include "generated/materials.glsl"
#include "generated/reactions.glsl"

// Integrity of a cell, 1 to 256 parts.
float parts_left(ivec2 cell) { return float((load_integrity(cell) + 255u) & 255u) + 1.0; }

vec3 draw_reactions(ivec2 cell, vec2 at, vec3 ground)
{
    uint number = load_material(cell);
    if (kind_of(number).state == STATE_EMPTY || kind_of(number).state == STATE_GAS)
        return ground;
    return mix(ground, worn_of(number), 1.0 - parts_left(cell) / float(WHOLE));
}

float overlay_integrity(ivec2 cell) { return is_matter(cell) ? parts_left(cell) : NOTHING; }

// Age; NOTHING in empty cells and where the age field holds latent heat.
float overlay_age(ivec2 cell)
{
    bool ages = is_matter(cell) && !keeps_latent(load_material(cell));
    return ages ? float(load_age(cell)) : NOTHING;
}
