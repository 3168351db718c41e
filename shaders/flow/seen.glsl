// Changes of water that atoms see: the step of density of a cell; and every unit, if reactions take or give units. Rule
// atoms sleeps until such a change.
#include "generated/tick.glsl"
#include "generated/water.glsl" // defines BESIDE_ATOMS, and REACTS_WITH_WATER
#include "lib/frame.glsl"
#include "lib/other_tiles.glsl"
#include "lib/water_step.glsl"

const int SEEN_FROM = 2; // cells: atoms farther away do not look at a cell, as MARGIN of atoms/waking.glsl

// Not 0 if atoms see a change from one amount to another.
int seen_change(int before, int after)
{
#ifdef REACTS_WITH_WATER
    return before ^ after;
#elif defined(BESIDE_ATOMS)
    return water_step(before) ^ water_step(after);
#else
    return 0;
#endif
}

// Note a change that atoms see in a rectangle of cells of the world; the last cell may lie beyond the world.
void note_seen(ivec2 first, ivec2 last)
{
    ivec2 one = to_frame(first, size), other = to_frame(min(last, size - 1), size);
    note_others(min(one, other) - SEEN_FROM, max(one, other) + SEEN_FROM, frame_size(size));
}
