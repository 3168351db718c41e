// The heat that the water of a cell takes along to its four neighbours. The including file has the images of plane
// `mass`, plane `warmth` and of scratch `heat_sent`.
#include "lib/heat_shares.glsl"
#include "lib/edges.glsl"
#include "lib/frame.glsl"

// The heat of the water at a place of the frame; 0 in a cell with an atom, and outside the world.
int heat_around(ivec2 at)
{
    ivec2 frame = frame_size(size), cell = to_world(inside_world(at, frame), size);
    return is_outside(at, frame) || load_mass_is_solid(cell) ? 0 : int(load_warmth(cell));
}

int heat_to(ivec2 at, int heat, int mass, int part)
{
    return part == 0 ? 0 : heat_allowed(heat_along(heat, mass, part), heat_around(at));
}

// Store the heat that goes along with what a cell sends: to the right, down, to the left and up.
void send_heat(ivec2 at, int heat, int mass, ivec4 parts)
{
    ivec4 sent = ivec4(0);
    if (heat != 0 && parts != ivec4(0)) {
        sent.x = heat_to(at + ivec2(1, 0), heat, mass, parts.x);
        sent.y = heat_to(at + ivec2(0, 1), heat, mass, parts.y);
        sent.z = heat_to(at - ivec2(1, 0), heat, mass, parts.z);
        sent.w = heat_to(at - ivec2(0, 1), heat, mass, parts.w);
    }
    store_heat_sent(at, uvec4(sent));
}
