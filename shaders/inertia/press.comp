#version 430
// The pressure of each cell, from what it would hold in excess of a full cell after the next flow. Law: water at rest
// presses by its weight; the pressure depends on cells up to four away, so that it spreads faster than a cell a tick.
// Twin: oracle.inertia.press.
//
// An invocation slides a window of rows down its strip. The stages follow each other, one row behind the other.
#include "generated/images.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "inertia/water.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const int MASSES = STRIP_WIDTH + 8;   // begin four columns before the strip
const int EXCESSES = STRIP_WIDTH + 6; // begin three columns before the strip
const int FIRSTS = STRIP_WIDTH + 4;
const int SECONDS = STRIP_WIDTH + 2;

int here[MASSES], below[MASSES];
int falling[EXCESSES];                      // the mass that would pass through the upper faces of the row
int excess[4][EXCESSES], fill[4][EXCESSES]; // the newest row first; the fill of a solid cell is -1
int first[3][FIRSTS], second[3][SECONDS];
ivec2 origin;

// The mass that would pass through a face at the present speed; at most a full cell moves.
int provisional(int one, int other, int speed)
{
    int donor = min(free_of_texel(speed > 0 ? one : other), FULL);
    return with_sign((donor >> 8) * (abs(speed) >> 2) >> 10, speed);
}

void load_row(int y)
{
    for (int i = 0; i < MASSES; i++) {
        here[i] = below[i];
        below[i] = texel_around(origin + ivec2(i - 4, y + 1));
    }
}

void find_falling(int y)
{
    for (int i = 0; i < EXCESSES; i++)
        falling[i] = provisional(here[i + 1], below[i + 1], speed_down_at(origin + ivec2(i - 3, y)));
}

// Compute the excess of row y.
void find_excess(int y)
{
    int from_left = provisional(here[0], here[1], speed_right_at(origin + ivec2(-4, y)));
    for (int i = 0; i < EXCESSES; i++) {
        for (int age = 3; age > 0; age--) {
            excess[age][i] = excess[age - 1][i];
            fill[age][i] = fill[age - 1][i];
        }
        int texel = here[i + 1], mass = free_of_texel(texel);
        int to_right = provisional(texel, here[i + 2], speed_right_at(origin + ivec2(i - 3, y)));
        int to_below = provisional(texel, below[i + 1], speed_down_at(origin + ivec2(i - 3, y)));
        int kept = min(mass, 2 * FULL) - FULL - (to_right - from_left + to_below - falling[i]);
        excess[0][i] = is_solid_texel(texel) ? 0 : clamp(kept, 0, FULL);
        fill[0][i] = is_solid_texel(texel) ? -1 : clamp(mass - (FULL - FULL / 8), 0, FULL / 8) >> 10;
        from_left = to_right;
        falling[i] = to_below;
    }
}

// The difference to a neighbour; a solid one takes no part.
int unlike(int own, int other, int fill_of_other) { return fill_of_other < 0 ? 0 : own - other; }

int times_fill(int value, int filled) { return value * max(filled, 0) >> 7; }

void find_first()
{
    for (int i = 0; i < FIRSTS; i++) {
        first[2][i] = first[1][i];
        first[1][i] = first[0][i];
        int own = excess[1][i + 1];
        int spread = unlike(own, excess[1][i], fill[1][i]) + unlike(own, excess[1][i + 2], fill[1][i + 2]) +
            unlike(own, excess[0][i + 1], fill[0][i + 1]) + unlike(own, excess[2][i + 1], fill[2][i + 1]);
        first[0][i] = (50 * own - 3 * times_fill(spread, fill[1][i + 1])) >> 6;
    }
}

void find_second()
{
    for (int i = 0; i < SECONDS; i++) {
        second[2][i] = second[1][i];
        second[1][i] = second[0][i];
        int own = first[1][i + 1];
        int spread = unlike(own, first[1][i], fill[2][i + 1]) + unlike(own, first[1][i + 2], fill[2][i + 3]) +
            unlike(own, first[0][i + 1], fill[1][i + 2]) + unlike(own, first[2][i + 1], fill[3][i + 2]);
        second[0][i] = (270 * excess[2][i + 2] >> 6) - times_fill(spread, fill[2][i + 2]);
    }
}

// Store the pressure of row y, of which the fill above is `over`.
void store_row(int y, int over[STRIP_WIDTH])
{
    for (int i = 0; i < STRIP_WIDTH; i++) {
        int own = second[1][i + 1], filled = fill[3][i + 3];
        int spread = unlike(own, second[1][i], fill[3][i + 2]) + unlike(own, second[1][i + 2], fill[3][i + 4]) +
            unlike(own, second[0][i + 1], fill[2][i + 3]) + unlike(own, second[2][i + 1], over[i]);
        int smooth_excess = clamp(excess[3][i + 3] - times_fill(spread >> 3, filled), 0, FULL);
        ivec2 cell = origin + ivec2(i, y);
        if (y >= 0 && cell.x < size.x && cell.y < size.y)
            store_head(cell, smooth_excess * max(filled, 0) * 10 >> 10);
    }
}

void main()
{
    origin = owned_strip() * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    if (origin.x >= size.x || origin.y >= size.y)
        return;
    load_row(-6);
    load_row(-5);
    load_row(-4);
    find_falling(-4);
    int over[STRIP_WIDTH];
    for (int y = -3; y < STRIP_HEIGHT + 3; y++) {
        load_row(y);
        for (int i = 0; i < STRIP_WIDTH; i++)
            over[i] = fill[3][i + 3];
        find_excess(y);
        find_first();
        find_second();
        store_row(y - 3, over);
    }
}
