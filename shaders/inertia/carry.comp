#version 430
// The next mass of each cell, and the next speed at each face: the mean of the speeds of the water that stays there and
// of the water that comes, weighted by mass. Law: the mass that a cell sends another cell receives; none is made or
// lost. Twin: oracle.inertia.carry.
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "inertia/water.glsl"
#include "lib/wide.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform uint substep;

const int DOWN = 0, LEFT = 1, RIGHT = 2, UP = 3; // components of `sent`
const ivec2 ACROSS = ivec2(1, 0), ALONG = ivec2(0, 1);

ivec4 sent_at(ivec2 cell)
{
    ivec4 sent = ivec4(load_sent(inside_world(cell, size)));
    return is_outside(cell, size) ? ivec4(0) : sent;
}

int through_right(ivec2 cell) { return sent_at(cell)[RIGHT] - sent_at(cell + ACROSS)[LEFT]; }
int through_down(ivec2 cell) { return sent_at(cell)[DOWN] - sent_at(cell + ALONG)[UP]; }

// The mass through a face in one direction, as far as it counts for speeds.
int through(ivec2 cell, ivec2 step)
{
    return clamp(step.x == 1 ? through_right(cell) : through_down(cell), -4 * FULL, 4 * FULL);
}

int speed_at(ivec2 cell, ivec2 step) { return step.x == 1 ? speed_right_at(cell) : speed_down_at(cell); }
bool is_solid_at(ivec2 cell) { return is_solid_texel(texel_around(cell)); }

// What a share of the water changes of the speed of all.
int pulled(int speed, int other, int share, int inverse)
{
    int part = int(uint(abs(other - speed) >> 2) * uint(share * inverse >> 16) >> 10);
    return with_sign(part, other - speed);
}

// The new speed at the face between a cell and the next cell in a direction.
int mixed_speed(ivec2 cell, ivec2 step)
{
    ivec2 side = step.yx;
    int speed = speed_at(cell, step), own = through(cell, step);
    if (is_solid_at(cell) || is_solid_at(cell + step))
        return 0;
    int behind = through(cell - step, step) + own, ahead = -(own + through(cell + step, step));
    int over = through(cell - side, side) + through(cell - side + step, side);
    int under = -(through(cell, side) + through(cell + step, side));
    int kept =
        min(free_of_texel(texel_around(cell)), 4 * FULL) + min(free_of_texel(texel_around(cell + step)), 4 * FULL);
    kept = max(kept - max(-behind, 0) - max(-ahead, 0) - max(-over, 0) - max(-under, 0), 0) >> 9;
    ivec4 shares = max(ivec4(behind, ahead, over, under), 0) >> 9;
    int inverse = int((1u << 28) / uint(max(kept + shares.x + shares.y + shares.z + shares.w, 1)));
    int mixed = speed + pulled(speed, speed_at(cell - step, step), shares.x, inverse) +
        pulled(speed, speed_at(cell + step, step), shares.y, inverse);
    if (!is_solid_at(cell - side) && !is_solid_at(cell - side + step))
        mixed += pulled(speed, speed_at(cell - side, step), shares.z, inverse);
    if (!is_solid_at(cell + side) && !is_solid_at(cell + side + step))
        mixed += pulled(speed, speed_at(cell + side, step), shares.w, inverse);
    return mixed;
}

bool is_at_end(ivec2 cell, ivec2 step) { return EDGES != EDGES_WRAP && any(greaterThanEqual(cell + step, size)); }

// The part of what a cell sent that crossed the edge of the world.
int leaving_of(ivec2 cell, ivec4 sent)
{
    return (cell.y == size.y - 1 ? sent[DOWN] : 0) + (cell.x == 0 ? sent[LEFT] : 0) +
        (cell.x == size.x - 1 ? sent[RIGHT] : 0) + (cell.y == 0 ? sent[UP] : 0);
}

void main()
{
    ivec2 strip = owned_strip(), first = strip * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    if (first.x >= size.x || first.y >= size.y)
        return;
    uvec2 moved_units = uvec2(0), left_units = uvec2(0);
    bool changes = false;
    for (int y = first.y; y < min(first.y + STRIP_HEIGHT, size.y); y++)
        for (int x = first.x; x < min(first.x + STRIP_WIDTH, size.x); x++) {
            ivec2 cell = ivec2(x, y);
            ivec4 sent = sent_at(cell);
            int units = sent.x + sent.y + sent.z + sent.w;
            int gained = sent_at(cell - ALONG)[DOWN] + sent_at(cell + ACROSS)[LEFT] + sent_at(cell - ACROSS)[RIGHT] +
                sent_at(cell + ALONG)[UP];
            store_mass_texel(cell, load_mass_texel(cell) - units + gained);
            int right = is_at_end(cell, ACROSS) ? 0 : mixed_speed(cell, ACROSS);
            int down = is_at_end(cell, ALONG) ? 0 : mixed_speed(cell, ALONG);
            changes = changes || right != load_speed_right(cell) || down != load_speed_down(cell);
            store_speed_right(cell, right);
            store_speed_down(cell, down);
            moved_units = add64(moved_units, uvec2(units, 0));
            if (EDGES == EDGES_OPEN)
                left_units = add64(left_units, uvec2(leaving_of(cell, sent), 0));
        }
    if (changes)
        mark_active(tick);
    if (changes || moved_units != uvec2(0))
        note_strip(first);
    if (substep > 0u)
        moved_units = add64(moved_units, load_moved(strip));
    store_moved(strip, moved_units);
    if (EDGES == EDGES_OPEN && left_units != uvec2(0))
        count_left(left_units, tick);
}
