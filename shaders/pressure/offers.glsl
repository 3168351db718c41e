// Offers of surface cells, one word each; the greatest wins. The upper half is the row, counted upward to give and
// downward to take, so that the best row has the greatest number. The lower half is the lot of the column, a random
// number that no other column has in this round; so no two offers of a row are equal and no side is favoured. Between
// them is a bit of offers that go before others of their row, unless rows need it. No offer is 0, which stands for
// none, in a world of less than 2^16 rows, and so in every whole world that a device holds.
#include "lib/chance.glsl"
#include "lib/domain.glsl"
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

// Lots belong to columns of the whole world. The column from a lot is counted from the part's own columns; it may lie
// in another part.
int column_from_offers(int column) { return column - whole_place(first_own_cell()).x + first_own_cell().x; }
uint lot_of(ivec2 at, uvec2 lot) { return permuted(((uint(whole_place(at).x) + lot.x) & LOW_HALF) ^ lot.y); }
int column_of(uint drawn, uvec2 lot)
{
    return column_from_offers(int(((permuted_back(drawn) ^ lot.y) - lot.x) & LOW_HALF));
}

// The shift of the row in an offer. Rows take 15 bits, or all 16 of the upper half. The whole world's number of rows
// decides, so that a piece has the offers of the whole world.
int row_shift() { return whole_rows() < 1 << 15 ? 17 : 16; }
uint first_of_row() { return row_shift() == 17 ? 1u << 16 : 0u; }

// The row of a place in offers: in a part of a world that of the whole world, because other parts make offers, too. And
// the row from an offer, counted from the part's own rows; it may lie in another part.
uint row_in_offers(ivec2 at) { return uint(HAS_HALO ? whole_place(at).y : at.y); }
int row_from_offers(int row) { return HAS_HALO ? row - whole_place(first_own_cell()).y + first_own_row() : row; }
ivec2 from_offers(ivec2 place) { return ivec2(column_from_offers(place.x), row_from_offers(place.y)); }

// The numbers of the top row in offers to give, and to take.
uint top_to_give() { return 0xFFFFFFFFu >> row_shift(); }
uint top_to_take() { return top_to_give() + 1u - uint(whole_rows()); }

uint offer_to_give(ivec2 at, uvec4 lots)
{
    return (top_to_give() - row_in_offers(at)) << row_shift() | lot_of(at, lots.xy);
}

uint offer_to_take(ivec2 at, uvec4 lots)
{
    return (top_to_take() + row_in_offers(at)) << row_shift() | lot_of(at, lots.zw);
}

ivec2 who_gives(uint offer, uvec4 lots)
{
    return ivec2(column_of(offer & LOW_HALF, lots.xy), row_from_offers(int(top_to_give() - (offer >> row_shift()))));
}

ivec2 who_takes(uint offer, uvec4 lots)
{
    return ivec2(column_of(offer & LOW_HALF, lots.zw), row_from_offers(int((offer >> row_shift()) - top_to_take())));
}

// Test if an offer to give is that of a cell, whether it goes first or not.
bool is_offer_of(uint offer, ivec2 at, uvec4 lots) { return (offer & ~first_of_row()) == offer_to_give(at, lots); }
