// What the ways of settle share: where blocks lie, what chance draws for them, and how one is put back.
#include "generated/ledger.glsl"
#include "atoms/packed.glsl"

uniform uint substep;

// What happened in a block; for what each means to those who look at tiles see waking.glsl.
bool unsettled; // something moved, or could have with another draw
bool exchanged; // atoms at rest changed places, both of which lie on something
bool changed;   // anything else

// An atom with the table's words of its material: they are looked up once and change places with the atom.
struct Piece {
    PackedAtom atom;
    uint matter;
    uint heft;
};

// The piece at a place; outside the world lies a wall.
Piece piece_at(ivec2 at)
{
    PackedAtom atom = packed_at(at, uint(OUTSIDE.material));
    return Piece(atom, MATTER[material_of(atom.word)], HEFT[material_of(atom.word)]);
}

bool is_empty(Piece piece) { return is_empty(piece.atom); }
bool is_at_rest(Piece piece) { return (piece.atom.word & MASK_VELOCITY) == 0u; }
bool is_solid(Piece piece) { return state_in(piece.matter) == STATE_SOLID; }
bool is_gas(Piece piece) { return state_in(piece.matter) == STATE_GAS; }
bool is_fluid(Piece piece) { return state_in(piece.matter) >= STATE_LIQUID; }
bool is_mobile(Piece piece) { return state_in(piece.matter) >= STATE_POWDER; }
bool is_heavy(Piece piece) { return is_mobile(piece) && !is_gas(piece); }
bool gives_way(Piece piece, Piece to)
{
    return is_empty(piece) || (is_fluid(piece) && density_in(piece.heft) < density_in(to.heft));
}

// Of 256, how often a denser atom changes places with a fluid in one try: the more, the higher the densities' ratio.
// Never always: where every pair of an edge changed places at once, a bubble would become stripes.
int exchange_chance(Piece heavy, Piece light)
{
    return EXCHANGE_LEAST + min(weight_in(heavy.heft) - weight_in(light.heft), EXCHANGE_MORE);
}

void exchange(inout Piece a, inout Piece b, bool really)
{
    Piece kept = a;
    if (really) {
        a = b;
        b = kept;
    }
}

// Permute a block. `near` is the column from which a coin has it look, 0 or 1; a and b are its upper atoms, c and d the
// lower ones, a and c in the near column. What is loaded has matter lying on it.
void settle_block(inout Piece a, inout Piece b, inout Piece c, inout Piece d, bool a_loaded, bool b_loaded, int near,
                  uvec4 words);

// The first cell of a block, which may lie one outside.
ivec2 first_of(ivec2 block)
{
    return 2 * block - partition_offset(world_tick(ivec2(0)) * uint(SUBSTEPS) + substep, uint(USE_ORDER));
}

uvec4 words_for(ivec2 at) { return noise(at, uint(USE_SETTLE) + substep); }
int near_column(uvec4 words) { return int(words.x >> 31); }
