// How rule pressure is drawn: what it does shows in where the liquid is; and its overlay.
#include "generated/cell.glsl"
#include "generated/materials.glsl"
#include "generated/pressure.glsl"
#include "lib/frame.glsl"
#include "lib/hash.glsl"

vec3 draw_pressure(ivec2 cell, vec2 at, vec3 ground) { return ground; }

#ifdef OVERLAY_BODIES
// Whether a cell can be of a body: the label that it had last is of no use where it has dried out since.
bool has_liquid(ivec2 cell)
{
#ifdef WITH_MIXTURE
    bool found = false;
    for (int layer = 0; layer < PRESSES.length(); layer++)
        found = found || PRESSES[layer] != 0 && load_mixture(cell, layer) > CONNECTED[layer];
    return found;
#else
    return STATE_OF[load_material(cell)] == STATE_LIQUID;
#endif
}

// A number from 0 to 1 drawn for the body that a cell of liquid was found to be of.
float overlay_bodies(ivec2 cell)
{
    uint label = load_labels(to_frame(cell, size));
    bool is_of_body = label != 0u && label < 1u << 31 && has_liquid(cell); // one that is adopted has the last bit
    return is_of_body ? float(pcg4d(uvec4(label)).x >> 8) / 16777215.0 : NOTHING;
}
#endif
