#version 430
// The heat that the water of each cell takes along when it flows, for pass move_heat. The outflow is that of pass flow,
// from the same masses. Twin: oracle.flow.share_heat.
#include "generated/images.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "flow/around.glsl"
#include "flow/heat_around.glsl"
#include "flow/tile_strips.glsl"
#include "lib/domain.glsl"
#include "lib/flow.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform uint substep;

void share_heat(ivec2 at, bool left_first)
{
    int texel = texel_around(at), heat = heat_around(at);
    ivec4 parts = ivec4(0);
    if (heat != 0) {
        int left = texel_around(at - ivec2(1, 0)), right = texel_around(at + ivec2(1, 0));
        Outflow sent = outflow(texel, texel_around(at + ivec2(0, 1)), left_first ? left : right,
                               left_first ? right : left, texel_around(at - ivec2(0, 1)));
        parts = left_first ? ivec4(sent.second, sent.down, sent.first, sent.up)
                           : ivec4(sent.first, sent.down, sent.second, sent.up);
    }
    send_heat(at, heat, free_of_texel(texel), parts);
}

void main()
{
    ivec2 first = owned_strip() * ivec2(STRIP_WIDTH, STRIP_HEIGHT), frame = frame_size(size);
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    ivec2 end = min(first + ivec2(STRIP_WIDTH, STRIP_HEIGHT), frame);
    bool left_first = first_side(world_tick(first), substep) == 0;
    for (int y = first.y; y < end.y; y++)
        for (int x = first.x; x < end.x; x++)
            share_heat(ivec2(x, y), left_first);
}
