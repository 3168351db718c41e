// Notes of changes in the tiles of rule mixture, and in those of rule atoms, whose passes see the amounts. Both rules
// have the same tiles.
#include "lib/other_tiles.glsl"
#include "mixture/waking.glsl"

// Note that a cell, by its place in gravity's frame, has changed, or would have changed with another draw. A note
// stands for changes around it, too, so atoms see it in all tiles around; `wake` of gpu/tiles.py sets fewer of their
// flags.
void note_change(ivec2 at)
{
#ifdef TILED
    ivec2 tile = tile_with(at, frame_size(size));
    note_tile(CHANGED, tile);
    for (int place = 0; place < 9; place++)
        note_other_tile(number_of(tile_beside(flagged(tile), ivec2(place % 3, place / 3) - 1)));
#endif
}
