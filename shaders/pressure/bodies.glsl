// Bodies of liquid by their labels: 1 plus the index of the body's first cell, counted along the rows of gravity's
// frame. Twin: oracle/pressure/__init__.py.
#include "generated/pressure.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "lib/edges.glsl"
#include "lib/frame.glsl"
#include "lib/labels.glsl"

// The word of surfaces that holds a cell's bit, and that bit.
ivec2 strip_with(ivec2 at) { return ivec2(at.x, at.y / STRIP_HEIGHT); }
uint bit_of(ivec2 at) { return 1u << (at.y % STRIP_HEIGHT); }

// Test if a body lies in several parts of a world. What is stored of it has a place below the cells of the part.
bool is_shared(ivec2 body) { return HAS_HALO && body.y >= frame_size(size).y; }

// The rows below the cells of a part with places of such bodies. Twin: gpufluid.rules.passes.Scratch.rows_of_sets.
int set_rows()
{
    ivec2 frame = frame_size(size);
    return SET_ROWS + (HALO_ACROSS ? (4 * NEAR_COLUMNS * frame.y + frame.x - 1) / frame.x : 0);
}

// The texel of scratch `winners` for such a body: below those of strips.
ivec2 place_of_winners(ivec2 body)
{
    int rows = frame_size(size).y;
    return ivec2(body.x, body.y - rows + (rows + STRIP_HEIGHT - 1) / STRIP_HEIGHT);
}
