// Offers of surface cells, one word each; the greatest wins. The upper half is the row, counted upward to give and
// downward to take; the lower half is a lot of the column, so that no two offers of a row are alike and no side is
// favoured.
#include "lib/chance.glsl"
#include "pressure/layer.glsl"

uniform uint substep;

const uint HALF = 0xFFFFu;

// Four random numbers of 16 bits for this round and layer, the same for all columns; `at` is any place of the world.
uvec4 drawn_lots(ivec2 at)
{
    return pcg4d(uvec4(uint(layer), 0u, world_tick(at), keyed(world_seed(at), uint(USE_OFFER) + substep))) & HALF;
}

// A permutation of the numbers of 16 bits, and its inverse.
uint mixed(uint x)
{
    x = ((x ^ x >> 8) * uint(LOT_FIRST)) & HALF;
    x = ((x ^ x >> 7) * uint(LOT_SECOND)) & HALF;
    return x ^ x >> 9;
}

uint unmixed(uint x)
{
    x = ((x ^ x >> 9) * uint(UNLOT_SECOND)) & HALF;
    x = ((x ^ x >> 7 ^ x >> 14) * uint(UNLOT_FIRST)) & HALF;
    return x ^ x >> 8;
}

// Lots belong to columns of the whole world.
uint first_column() { return uint(whole_place(ivec2(0)).x); }
uint lot_of(int column, uvec2 lot) { return mixed(((uint(column) + first_column() + lot.x) & HALF) ^ lot.y); }
int column_of(uint drawn, uvec2 lot) { return int(((unmixed(drawn) ^ lot.y) - lot.x - first_column()) & HALF); }

uint offer_to_give(ivec2 at, uvec4 lots) { return (HALF - uint(at.y)) << 16 | lot_of(at.x, lots.xy); }
uint offer_to_take(ivec2 at, uvec4 lots) { return uint(at.y) << 16 | lot_of(at.x, lots.zw); }
ivec2 who_takes(uint offer, uvec4 lots) { return ivec2(column_of(offer & HALF, lots.zw), offer >> 16); }
