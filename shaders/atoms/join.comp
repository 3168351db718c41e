#version 430
// Mark each elastic atom as stopped in a direction if any atom of its run across that direction is stopped in that
// direction. The run across a direction is a line of touching elastic atoms, at right angles to the direction, that all
// move in the direction. Law: this pass changes no atom; bounce.comp reverses the velocities. Twin: oracle.atoms.join.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "atoms/body_runs.glsl"

#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uvec4 stopped_in(ivec2 strip) { return load_stopped(strip); }

void main()
{
    ivec2 strip = unit(), frame = frame_size(size);
    int first = strip.y * STRIP;
    if (strip.x >= frame.x || first >= frame.y)
        return;
    uvec4 moving = load_moving(strip), joined = load_stopped(strip);
    for (int direction = 0; direction < 4; direction++)
        for (uint rows = moving[direction] & ~joined[direction]; rows != 0u; rows &= rows - 1u)
            if (is_run_stopped(ivec2(strip.x, first + findLSB(rows)), line_across(direction), direction))
                joined[direction] |= 1u << findLSB(rows);
    store_joined(strip, joined);
}
