// Shared by the layouts of settle: the blocks of a partition, their random words, and the atoms in them.
// Twin: oracle/atoms/blocks.py.
#include "generated/ledger.glsl"
#include "atoms/packed.glsl"

#include "lib/substep.glsl"

// Events in a block, as the tile flags of rules/atoms.py name them.
bool unsettled; // an atom moved, or could have moved with another draw
bool changed;

// An atom with the packed properties of its material, which are looked up once and move with the atom.
struct Piece {
    PackedAtom atom;
    uint matter;
    uint contact;
};

// The piece at a place; outside the world lies a wall.
Piece piece_at(ivec2 at)
{
    PackedAtom atom = packed_at(at, uint(OUTSIDE.material));
    return Piece(atom, MATTER[material_of(atom.word)], CONTACT[material_of(atom.word)]);
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
    return is_empty(piece) || (is_fluid(piece) && density_in(piece.matter) < density_in(to.matter));
}

// The chance, in 256ths, that a denser atom changes places with a fluid in one try. It grows with the ratio of the
// densities and stays below 256: if every pair along an edge changed places at once, a bubble would become stripes.
int exchange_chance(Piece heavy, Piece light)
{
    return EXCHANGE_LEAST + min(weight_in(heavy.contact) - weight_in(light.contact), EXCHANGE_MORE);
}

void exchange(inout Piece a, inout Piece b, bool really)
{
    Piece kept = a;
    if (really) {
        a = b;
        b = kept;
    }
}

// Permute a block. A coin picks the near column, 0 or 1; a and b are the upper atoms, c and d the lower ones, a and c
// in the near column. A loaded atom has matter lying on it.
void settle_block(inout Piece a, inout Piece b, inout Piece c, inout Piece d, bool a_loaded, bool b_loaded, int near,
                  uvec4 words);

// The first cell of a block; it may lie one cell outside the world.
ivec2 first_of(ivec2 block)
{
    ivec2 at = 2 * block;
    return at - partition_offset(at, world_tick(at) * uint(SUBSTEPS) + substep, uint(USE_ORDER));
}

uvec4 words_for(ivec2 at) { return noise_of_block(at, uint(USE_SETTLE) + substep); }
int near_column(uvec4 words) { return int(words.x >> 31); }
