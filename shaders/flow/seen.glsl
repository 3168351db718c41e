// Changes of water that atoms see: the step of density of a cell; and every unit, if reactions take or give units, or
// if water has heat, because its temperature depends on the mass. Rule atoms sleeps until such a change; until any
// change, if a pass over atoms copies the masses to the other texture.
#include "atoms/margin.glsl"
#include "generated/tick.glsl"
#include "generated/amounts.glsl" // defines BESIDE_ATOMS, and REACTS_WITH_WATER
#include "lib/frame.glsl"
#include "lib/other_tiles.glsl"
#include "lib/water_step.glsl"

// Not 0 if atoms see a change from one amount to another.
int seen_change(int before, int after)
{
#if defined(REACTS_WITH_WATER) || defined(HAS_WATER_HEAT)
    return before ^ after;
#elif defined(BESIDE_ATOMS)
    return water_step(before) ^ water_step(after);
#else
    return 0;
#endif
}

// Not 0 if the tiles of rule atoms must be awake after a change from one amount to another.
int waking_change(int before, int after)
{
#ifdef OTHERS_COPY_AMOUNTS
    return before ^ after;
#else
    return seen_change(before, after);
#endif
}

// Note a change that atoms see in a rectangle of the frame; its last place may lie beyond the world.
void note_seen(ivec2 first, ivec2 last)
{
    ivec2 frame = frame_size(size);
    note_others(first - MARGIN, min(last, frame - 1) + MARGIN, frame);
}
