#version 430
// The mass that each cell sends. Law: a cell sends at most what it holds, and gives no cell more than a quarter of its
// room. Left and right are treated alike. Twin: oracle.inertia.send.
#include "generated/images.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "inertia/water.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// Limit a speed of sending, so that its sum with the opposite one is at most one cell a tick.
int shared_with(int speed, int opposite) { return min(speed, max(FULL / 2, FULL - opposite)); }

// mass * speed / FULL, rounded down; both are at least 0.
int part_of(int mass, int speed)
{
    uint high, low;
    umulExtended(uint(mass) << 2, uint(speed) << 10, high, low);
    return int(high);
}

int sent_to(ivec2 cell, int mass, int speed)
{
    int texel = texel_around(cell);
    return is_solid_texel(texel) ? 0 : min(part_of(mass, speed), (MASS_LIMIT - texel) >> 2);
}

void send_cell(ivec2 cell)
{
    int mass = free_of_texel(load_mass_texel(cell));
    int right = max(speed_right_at(cell), 0), left = max(-speed_right_at(cell - ivec2(1, 0)), 0);
    int down = max(speed_down_at(cell), 0), up = max(-speed_down_at(cell - ivec2(0, 1)), 0);
    int sent_down = sent_to(cell + ivec2(0, 1), mass, shared_with(down, up));
    int sent_up = sent_to(cell - ivec2(0, 1), mass, shared_with(up, down));
    int rest = mass - sent_down - sent_up;
    int sent_left = sent_to(cell - ivec2(1, 0), rest, shared_with(left, right));
    int sent_right = sent_to(cell + ivec2(1, 0), rest, shared_with(right, left));
    store_sent(cell, uvec4(sent_down, sent_left, sent_right, sent_up));
}

void main()
{
    ivec2 first = owned_strip() * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    for (int y = first.y; y < min(first.y + STRIP_HEIGHT, size.y); y++)
        for (int x = first.x; x < min(first.x + STRIP_WIDTH, size.x); x++)
            send_cell(ivec2(x, y));
}
