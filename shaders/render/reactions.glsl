// How rule reactions is drawn: what has lost parts of itself is darker; and its overlays.
#include "generated/cell.glsl"
#include "generated/materials.glsl"
#include "generated/reactions.glsl"

const float WORN_DARKER = 0.6;

// Parts of 256 that are left of what lies in a cell.
float parts_left(ivec2 cell) { return float((integrity_of(imageLoad(warmth, cell).r) + 255u) & 255u) + 1.0; }

vec3 draw_reactions(ivec2 cell, vec2 at, vec3 ground)
{
    bool matter = STATE_OF[material_at(cell)] != STATE_EMPTY;
    return matter ? ground * (1.0 - WORN_DARKER * (1.0 - parts_left(cell) / float(WHOLE))) : ground;
}

float overlay_integrity(ivec2 cell) { return STATE_OF[material_at(cell)] == STATE_EMPTY ? -1.0 : parts_left(cell); }

float overlay_age(ivec2 cell)
{
    return STATE_OF[material_at(cell)] == STATE_EMPTY ? -1.0 : float(age_of(imageLoad(warmth, cell).r));
}
