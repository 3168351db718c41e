// How rule reactions is drawn: what has lost parts of itself is darker, or has the colour of what it turns into; and
// its overlays.
#include "generated/cell.glsl"
#include "generated/colours.glsl"
#include "generated/materials.glsl"
#include "generated/reactions.glsl"

// Parts of 256 that are left of what lies in a cell.
float parts_left(ivec2 cell) { return float((integrity_of(imageLoad(warmth, cell).r) + 255u) & 255u) + 1.0; }

vec3 draw_reactions(ivec2 cell, vec2 at, vec3 ground)
{
    if (!is_matter(cell))
        return ground;
    return mix(ground, WORN[material_at(cell)], 1.0 - parts_left(cell) / float(WHOLE));
}

float overlay_integrity(ivec2 cell) { return is_matter(cell) ? parts_left(cell) : NOTHING; }

// Of what changes its state by heat the age keeps latent heat.
float overlay_age(ivec2 cell)
{
    bool ages = is_matter(cell) && !keeps_latent(material_at(cell));
    return ages ? float(age_of(imageLoad(warmth, cell).r)) : NOTHING;
}
