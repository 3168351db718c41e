// Which tiles rule heat must look at. A tile rests when nothing could be exchanged in it, or beside it, in the last
// tick, and rule atoms has moved nothing there since: then conduct would change nothing, transition has left it as it
// is, and both textures hold the same.
#include "generated/tick.glsl"
#include "heat/waking.glsl"

const int LONGEST_AWAKE = 1; // ticks after the last thing that was noted

bool activate_conduct(ivec2 tile)
{
    bool awake = has_changed(tile, 1u);
    for (int way = -1; way <= 1; way++) {
        awake = awake || is_since(WARM, tile_beside(tile, ivec2(way, 0)), tick, 1u);
        awake = awake || is_since(WARM, tile_beside(tile, ivec2(0, way)), tick, 1u);
    }
    return awake;
}

// Conduct has just been wherever anything could be past a threshold.
bool activate_transition(ivec2 tile) { return tile_flag(PAST, tile) == tick; }
