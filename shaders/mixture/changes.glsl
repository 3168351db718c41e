// What an invocation says of what it has changed of a mixture.
#include "mixture/cells.glsl"
#include "mixture/waking.glsl"

bool stirred = false; // whether anything has changed, or would have, had chance allowed it

void note_stirred(ivec2 cell)
{
    if (!stirred)
        return;
    note_stir(tick);
    note_change(cell);
}
