// How rule pressure is drawn: what it does shows in where the atoms are; and its overlay.
#include "generated/cell.glsl"
#include "generated/material_at.glsl"
#include "generated/materials.glsl"
#include "lib/frame.glsl"
#include "lib/hash.glsl"

vec3 draw_pressure(ivec2 cell, vec2 at, vec3 ground) { return ground; }

#ifdef OVERLAY_BODIES
// A number from 0 to 1 drawn for the body that a cell of liquid was found to be of.
float overlay_bodies(ivec2 cell)
{
    uint label = imageLoad(labels, to_frame(cell, size)).r;
    bool is_liquid = STATE_OF[material_at(cell)] == STATE_LIQUID;
    return label != 0u && is_liquid ? float(pcg4d(uvec4(label)).x >> 8) / 16777215.0 : NOTHING;
}
#endif
