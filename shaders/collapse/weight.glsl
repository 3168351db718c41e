// The weight of a piece, by the place of its first cell, and where the piece moves. Twin: oracle/collapse.py.
#include "generated/tick.glsl"
#include "collapse/pieces.glsl"
#include "collapse/rising.glsl"

// Test if a piece stays, whatever its weight.
bool stays(ivec2 piece)
{
    uint bits = load_held(piece), all = is_time_to_rise(piece) ? NO_FALL | NO_RISE : NO_FALL;
    return (bits & FIXED) != 0u || (bits & all) == all;
}

// The rows by which a piece moves down: 1 if it falls, -1 if it rises, 0 if it stays.
int rows_down(uint label)
{
    ivec2 piece = place_of_label(label);
    uint bits = load_held(piece);
    uvec2 weight = uvec2(load_weight_low(piece), load_weight_high(piece));
    if (GRAVITY == GRAVITY_OFF || (bits & FIXED) != 0u || weight == uvec2(0u))
        return 0;
    bool light = int(weight.y) < 0;
    if (is_time_to_rise(piece) && (bits & WET) != 0u)
        return light && (bits & NO_RISE) == 0u ? -1 : 0;
    return !light && (bits & NO_FALL) == 0u ? 1 : 0;
}
