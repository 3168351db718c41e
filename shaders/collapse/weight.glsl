// The weight of a piece, by the place of its first cell. Twin: oracle/collapse.py.
#include "collapse/pieces.glsl"

bool is_held(ivec2 piece) { return load_held(piece) != 0u; }

// Test if a piece falls: gravity acts, nothing holds the piece, and its weight is more than 0.
bool falls(uint label)
{
    ivec2 piece = place_of_label(label);
    uvec2 weight = uvec2(load_weight_low(piece), load_weight_high(piece));
    return GRAVITY != GRAVITY_OFF && !is_held(piece) && int(weight.y) >= 0 && weight != uvec2(0u);
}
