// Which tiles rule pressure must look at: those of components in which something has changed, or was left to be done.
#include "generated/pressure.glsl"
#include "generated/tick.glsl"
#include "pressure/waking.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last thing that was noted

// Whether a tile holds liquid is found out anew where something has changed. All tiles are by themselves again.
bool activate_find_liquid_tiles(ivec2 tile)
{
    if (tile_flag(UNFINISHED, tile_of(component_of(tile))) == tick - 1u)
        set_tile_flag(HELD, tile, tick);
    set_tile_flag(COMPONENT, tile, number_of(tile));
    bool awake = is_concerned(tile);
    if (awake)
        set_tile_flag(LIQUID, tile, 0u);
    return awake;
}

bool activate_label(ivec2 tile) { return is_wet(tile) && tile_flag(ACTIVATED, tile_of(component_of(tile))) == tick; }
