// Draws rule pressure: no colour of its own, as the rule only moves liquid. Also the rule's overlay.
#include "generated/cell.glsl"
#include "generated/materials.glsl"
#include "generated/pressure.glsl"
#include "lib/frame.glsl"
#include "lib/hash.glsl"

vec3 draw_pressure(ivec2 cell, vec2 at, vec3 ground) { return ground; }

#ifdef OVERLAY_BODIES
#ifdef WITH_MIXTURE
#include "pressure/connected.glsl"
#endif

// Test if the cell holds liquid now; the labels are those of the last tick, and the cell may have dried out since.
bool has_liquid(ivec2 cell)
{
#ifdef WITH_MIXTURE
    return any_connected(cell);
#else
    return STATE_OF[load_material(cell)] == STATE_LIQUID;
#endif
}

// A random number from 0 to 1 for the body of liquid to which the cell belongs.
float overlay_bodies(ivec2 cell)
{
    ivec2 at = to_frame(cell, size);
    uint label = load_labels(at), body = label & ~ADOPTED;
    uint place = uint(at.y * frame_size(size).x + at.x) + 1u; // label_of_place in lib/labels.glsl
    bool is_connected = label == body || body == place;       // see ADOPTED in rules/pressure.py
    bool is_of_body = label != 0u && is_connected && has_liquid(cell);
    return is_of_body ? float(pcg4d(uvec4(body)).x >> 8) / 16777215.0 : NOTHING;
}
#endif
