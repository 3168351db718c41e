// The unit of work of this invocation: its group works on one listed tile, and owns the UNITS_IN_TILE units of that
// tile. Units are counted as in gpufluid/gpu/shares.py: those of rows and segments have the row first.
#include "lib/tiles.glsl"

ivec2 unit()
{
    int entry = listed();
    ivec2 tile = tile_of(uint(entry));
    ivec2 first = (ROWS_FIRST ? tile.yx : tile) * UNITS_IN_TILE;
    return entry < 0 ? ivec2(1 << 20) : first + ivec2(gl_LocalInvocationID.xy); // 1 << 20: beyond every world
}
