// The mass at a place of gravity's frame that may be outside the world.
#include "lib/edges.glsl"
#include "lib/frame.glsl"

int texel_around(ivec2 at)
{
    ivec2 frame = frame_size(size);
    int texel = load_mass_texel(to_world(inside_world(at, frame), size));
    return is_outside(at, frame) ? TEXEL_OUTSIDE : texel;
}
