// Offers of surface cells, one word each; the greatest wins. The upper half is the row, counted upward to give and
// downward to take. The lower half is the lot of the column, a random number that no other column has in this round; so
// no two offers of a row are equal and no side is favoured.
#include "lib/chance.glsl"
#include "pressure/layer.glsl"

const uint LOW_HALF = 0xFFFFu; // of a word

// Four random numbers of 16 bits for a round and this layer, the same for all columns; `at` is any place of the world.
uvec4 drawn_lots(ivec2 at, uint round)
{
    return pcg4d(uvec4(uint(layer), 0u, world_tick(at), stream_seed(world_seed(at), uint(USE_OFFER) + round))) &
        LOW_HALF;
}

// A permutation of the numbers of 16 bits, and its inverse.
uint permuted(uint x)
{
    x = ((x ^ x >> 8) * uint(LOT_FIRST)) & LOW_HALF;
    x = ((x ^ x >> 7) * uint(LOT_SECOND)) & LOW_HALF;
    return x ^ x >> 9;
}

uint permuted_back(uint x)
{
    x = ((x ^ x >> 9) * uint(UNLOT_SECOND)) & LOW_HALF;
    x = ((x ^ x >> 7 ^ x >> 14) * uint(UNLOT_FIRST)) & LOW_HALF;
    return x ^ x >> 8;
}

// Lots belong to columns of the whole world.
uint first_column() { return uint(whole_place(ivec2(0)).x); }
uint lot_of(int column, uvec2 lot) { return permuted(((uint(column) + first_column() + lot.x) & LOW_HALF) ^ lot.y); }
int column_of(uint drawn, uvec2 lot)
{
    return int(((permuted_back(drawn) ^ lot.y) - lot.x - first_column()) & LOW_HALF);
}

uint offer_to_give(ivec2 at, uvec4 lots) { return (LOW_HALF - uint(at.y)) << 16 | lot_of(at.x, lots.xy); }
uint offer_to_take(ivec2 at, uvec4 lots) { return uint(at.y) << 16 | lot_of(at.x, lots.zw); }
ivec2 who_takes(uint offer, uvec4 lots) { return ivec2(column_of(offer & LOW_HALF, lots.zw), offer >> 16); }
