// How an invocation reports that it has changed cells of a mixture.
#include "mixture/cells.glsl"
#include "mixture/waking.glsl"

bool is_active = false; // whether anything has changed, or would have, had chance allowed it

void mark_if_active(ivec2 cell)
{
    if (!is_active)
        return;
    mark_active(tick);
    note_change(cell);
}
