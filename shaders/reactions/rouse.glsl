// Which tiles each pass of rule reactions must look at: `rouse_<pass>(tile)`. All others sleep.
// Law: in a tile that is not roused nothing could react, whatever chance draws and however hot it is: what may react is
// told by materials alone, and where those change rule atoms' tiles say so.
#include "generated/reactions.glsl"
#include "generated/tick.glsl"
#include "atoms/waking.glsl"

const int LONGEST_AWAKE = TURN;

bool has_changed(ivec2 tile, uint ticks)
{
    return is_since(CHANGED, tile, tick, ticks) || is_since(EXCHANGED, tile, tick, ticks);
}

// Until all partition offsets have had their turn.
bool rouse_react(ivec2 tile) { return has_changed(tile, uint(TURN)) || is_since(REACTIVE, tile, tick, uint(TURN)); }

bool rouse_decay(ivec2 tile) { return has_changed(tile, 1u) || is_since(CHANGING, tile, tick, 1u); }
