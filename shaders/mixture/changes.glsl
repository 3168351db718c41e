// The report of an invocation that has changed cells of a mixture.
#include "mixture/cells.glsl"
#include "mixture/waking.glsl"

bool is_active = false; // true if a cell has changed, or would have changed with another draw

void mark_if_active(ivec2 cell)
{
    if (!is_active)
        return;
    mark_active(tick);
    note_change(cell);
}
