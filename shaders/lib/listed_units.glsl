// The unit of work of this invocation: its group works on one listed tile, and owns some of the UNITS_IN_TILE units of
// that tile, or all. Units are counted as in gpufluid/gpu/shares.py: those of rows and segments have the row first.
#include "lib/tiles.glsl"
#include "generated/listed.glsl"

ivec2 unit()
{
    int entry = listed();
    ivec2 tile = tile_of(uint(entry));
    ivec2 first = (ROWS_FIRST ? tile.yx : tile) * UNITS_IN_TILE;
    int lane = int(gl_LocalInvocationIndex) + group_of_entry() * GROUP_X * GROUP_Y;
    ivec2 own = ivec2(lane % UNITS_IN_TILE.x, lane / UNITS_IN_TILE.x);
    return entry < 0 ? ivec2(1 << 20) : first + own; // 1 << 20: beyond every world
}
