// What an invocation says of what it has changed of a mixture.
#include "mixture/cells.glsl"
#include "lib/tiles.glsl"

bool stirred = false; // whether anything has changed, or would have, had chance allowed it

void note_stirred(ivec2 cell)
{
    if (!stirred)
        return;
    note_stir(tick);
    note_latest(tick);
    note_cell(CHANGED, cell, size, tick);
}
