#version 430
// Exchange materials within pairs of cells of a column: falling materials go to the lower cell, rising ones to the
// upper. Law: the units that one cell loses the other gets; no cell gets more than it has room for; no two pairs have a
// cell in common. Twin: oracle.mixture.sink.
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/ledger.glsl"
#include "mixture/flows.glsl"

uniform uint substep;

// Draw if a layer moves from a cell: in its own direction, or astray in the other one.
bool goes(ivec2 cell, int layer, bool own_direction)
{
    if (CHANCE[layer] == CERTAIN && ASTRAY[layer] == 0u)
        return own_direction;
    uvec2 words = drawn(cell, layer, USE_SINK);
    return words.x < CHANCE[layer] && (words.y < ASTRAY[layer]) != own_direction;
}

int room_above, room_below; // used only if materials exclude each other

void exchange_layer(Place upper, Place lower, int layer)
{
    bool falls = FALLS[layer] > 0;
    int texel_above = texel_of(upper, layer), texel_below = texel_of(lower, layer);
    int above = free_of_texel(texel_above), below = free_of_texel(texel_below);
    int down = min(min(above, falls ? SPEED[layer] : ASTRAY_SPEED[layer]), min(FULL - below, room_below));
    int up = min(min(below, falls ? ASTRAY_SPEED[layer] : SPEED[layer]), min(FULL - above, room_above));
    if (is_solid_texel(texel_above | texel_below) || (down | up) == 0)
        return;
    is_active = true;
    down = down > 0 && goes(upper.cell, layer, falls) ? down : 0;
    up = up > 0 && goes(lower.cell, layer, !falls) ? up : 0;
    if ((down | up) == 0)
        return;
    hold(upper, layer, above + up - down);
    hold(lower, layer, below + down - up);
    moved_units += uint(down + up);
    if (EXCLUSIVE != 0) {
        room_above = upper.inside ? room_above + down - up : FULL;
        room_below = lower.inside ? room_below + up - down : FULL;
    }
}

void exchange(Place upper, Place lower)
{
    room_above = room_of_all(upper);
    room_below = room_of_all(lower);
#define EXCHANGE(LAYER) exchange_layer(upper, lower, LAYER)
    EACH_LAYER(EXCHANGE);
}

// The parity of the upper rows, in the whole world, of the pairs that this run exchanges. `at` is any place of the
// world.
int parity(ivec2 at) { return (int(world_tick(at) + substep) + whole_place(ivec2(0)).y) & 1; }

// Exchange the pair of a cell and the cell below it. On a torus the pair above the first row belongs to the last row;
// with an odd number of rows, the pair across the seam comes after the others.
void exchange_from(ivec2 upper)
{
    bool ring = EDGES == EDGES_WRAP, odd = (size.y & 1) == 1;
    bool skipped = ring && (upper.y == size.y - 1 || odd && upper.y < 0);
    if (!skipped)
        exchange(place_of(upper), place_of(upper + ivec2(0, 1)));
    if (ring && odd && upper.y >= 0 && upper.y == size.y - 2 && parity(upper) == 1)
        exchange(place_of(ivec2(upper.x, size.y - 1)), place_of(ivec2(upper.x, 0)));
}

#include "generated/layout.glsl"
