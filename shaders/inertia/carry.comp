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

ivec4 sent_at(ivec2 cell)
{
    return ivec4(load_sent(EDGES == EDGES_WRAP ? inside_world(cell, size) : cell)); // 0 beyond the world
}

// A mass as far as it counts for speeds.
int counted(int units) { return clamp(units, -4 * FULL, 4 * FULL); }

// What a share of the water changes of the speed of all.
int pulled(int speed, int other, int share, int inverse)
{
    int part = int(uint(abs(other - speed) >> 2) * uint(share * inverse >> 16) >> 10);
    return with_sign(part, other - speed);
}

// The new speed at a face that is not blocked.
//   held: the mass of both cells; come: the mass that comes from behind, from ahead and from both sides;
//   speeds: there; blocked: masks of the sides at which a wall is, which change nothing.
int mixed_speed(int speed, int held, ivec4 come, ivec4 speeds, ivec2 blocked)
{
    ivec4 gone = max(-come, 0), shares = max(come, 0) >> 9;
    int kept = max(held - gone.x - gone.y - gone.z - gone.w, 0) >> 9;
    int inverse = int((1u << 28) / uint(max(kept + shares.x + shares.y + shares.z + shares.w, 1)));
    return speed + pulled(speed, speeds.x, shares.x, inverse) + pulled(speed, speeds.y, shares.y, inverse) +
        (pulled(speed, speeds.z, shares.z, inverse) & ~blocked.x) +
        (pulled(speed, speeds.w, shares.w, inverse) & ~blocked.y);
}

int held_by(int texel) { return min(free_of_texel(texel), 4 * FULL); }
int solid_mask(int texel) { return texel >> 31; }

// The part of what a cell sent that crossed the edge of the world.
int leaving_of(ivec2 cell, ivec4 sent)
{
    return (cell.y == size.y - 1 ? sent[DOWN] : 0) + (cell.x == 0 ? sent[LEFT] : 0) +
        (cell.x == size.x - 1 ? sent[RIGHT] : 0) + (cell.y == 0 ? sent[UP] : 0);
}

// What the carrying of a cell did.
struct Carried {
    int units; // of mass that the cell sent
    int left;  // the part that crossed the edge of the world
    bool changes;
};

// Every value around the cell is loaded once: loads take most of the time.
Carried carry_cell(ivec2 cell)
{
    ivec4 here = sent_at(cell);
    ivec4 sent_left = sent_at(cell + ivec2(-1, 0)), sent_right = sent_at(cell + ivec2(1, 0));
    ivec4 sent_above = sent_at(cell + ivec2(0, -1)), sent_below = sent_at(cell + ivec2(0, 1));
    ivec4 above_right = sent_at(cell + ivec2(1, -1)), below_right = sent_at(cell + ivec2(1, 1));
    ivec4 below_left = sent_at(cell + ivec2(-1, 1));
    int far_right = sent_at(cell + ivec2(2, 0))[LEFT], far_below = sent_at(cell + ivec2(0, 2))[UP];
    int gained = sent_above[DOWN] + sent_right[LEFT] + sent_left[RIGHT] + sent_below[UP];
    int own = load_mass_texel(cell), units = here.x + here.y + here.z + here.w;
    store_mass_texel(cell, own - units + gained);

    int texel_right = texel_around(cell + ivec2(1, 0)), texel_below = texel_around(cell + ivec2(0, 1));
    int solid_left = solid_mask(texel_around(cell + ivec2(-1, 0)));
    int solid_above = solid_mask(texel_around(cell + ivec2(0, -1)));
    int solid_above_right = solid_mask(texel_around(cell + ivec2(1, -1)));
    int solid_below_right = solid_mask(texel_around(cell + ivec2(1, 1)));
    int solid_below_left = solid_mask(texel_around(cell + ivec2(-1, 1)));
    int solid_here = solid_mask(own), solid_right = solid_mask(texel_right), solid_below = solid_mask(texel_below);

    // Masses through the faces of the cell and of its neighbours, to the right and down.
    int to_right = counted(here[RIGHT] - sent_right[LEFT]), from_left = counted(sent_left[RIGHT] - here[LEFT]);
    int to_below = counted(here[DOWN] - sent_below[UP]), from_above = counted(sent_above[DOWN] - here[UP]);
    int beyond_right = counted(sent_right[RIGHT] - far_right), beyond_below = counted(sent_below[DOWN] - far_below);
    int above_beside = counted(above_right[DOWN] - sent_right[UP]);
    int below_beside = counted(sent_right[DOWN] - below_right[UP]);
    int left_under = counted(below_left[RIGHT] - sent_below[LEFT]);
    int right_under = counted(sent_below[RIGHT] - below_right[LEFT]);

    int old_right = speed_right_at(cell), old_down = speed_down_at(cell);
    ivec4 right_speeds = ivec4(speed_right_at(cell + ivec2(-1, 0)), speed_right_at(cell + ivec2(1, 0)),
                               speed_right_at(cell + ivec2(0, -1)), speed_right_at(cell + ivec2(0, 1)));
    ivec4 down_speeds = ivec4(speed_down_at(cell + ivec2(0, -1)), speed_down_at(cell + ivec2(0, 1)),
                              speed_down_at(cell + ivec2(-1, 0)), speed_down_at(cell + ivec2(1, 0)));
    int new_right = mixed_speed(
        old_right, held_by(own) + held_by(texel_right),
        ivec4(from_left + to_right, -to_right - beyond_right, from_above + above_beside, -to_below - below_beside),
        right_speeds, ivec2(solid_above | solid_above_right, solid_below | solid_below_right));
    int new_down = mixed_speed(
        old_down, held_by(own) + held_by(texel_below),
        ivec4(from_above + to_below, -to_below - beyond_below, from_left + left_under, -to_right - right_under),
        down_speeds, ivec2(solid_left | solid_below_left, solid_right | solid_below_right));
    bvec2 at_end = equal(cell, size - 1);
    new_right = EDGES != EDGES_WRAP && at_end.x ? 0 : new_right & ~(solid_here | solid_right);
    new_down = EDGES != EDGES_WRAP && at_end.y ? 0 : new_down & ~(solid_here | solid_below);
    store_speed_right(cell, new_right);
    store_speed_down(cell, new_down);
    bool changes = new_right != load_speed_right(cell) || new_down != load_speed_down(cell);
    return Carried(units, leaving_of(cell, here), changes);
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
            Carried carried = carry_cell(ivec2(x, y));
            changes = changes || carried.changes;
            moved_units = add64(moved_units, uvec2(carried.units, 0));
            if (EDGES == EDGES_OPEN)
                left_units = add64(left_units, uvec2(carried.left, 0));
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
