// A group works on the strips of one listed tile, one strip an invocation.
#include "lib/tiles.glsl"

ivec2 owned_strip()
{
    int entry = listed();
    if (entry < 0)
        return ivec2(1 << 20); // beyond every world
    ivec2 tile = tile_of(uint(entry));
    return tile * ivec2(GROUP_X, GROUP_Y) + ivec2(gl_LocalInvocationID.xy);
}
