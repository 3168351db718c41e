// Which tiles rule pressure must look at: those of ponds in which something has changed, or was left to be done.
#include "generated/pressure.glsl"
#include "generated/tick.glsl"
#include "pressure/waking.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last thing that was noted

// Whether a tile holds liquid is found out anew where something has changed. All tiles are by themselves again.
bool rouse_wet(ivec2 tile)
{
    if (stamp(UNFINISHED, tile_of(pond_of(tile))) == tick - 1u)
        set_stamp(HELD, tile, tick);
    set_stamp(POND, tile, number_of(tile));
    bool awake = is_concerned(tile);
    if (awake)
        set_stamp(WET, tile, 0u);
    return awake;
}

bool rouse_label(ivec2 tile) { return is_wet(tile) && stamp(ROUSED, tile_of(pond_of(tile))) == tick; }
