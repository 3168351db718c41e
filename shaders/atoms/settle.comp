#version 430
// Settle atoms in 2x2 blocks: powders and liquids slide down diagonals, moving neighbours of one material share their
// speeds, gases diffuse. Law: each block (Margolus neighbourhood) is permuted by the invocation that owns it; the atoms
// above a block are read in their old state. Twin: oracle.atoms.settle. The rule is written for one side, and a coin
// mirrors the block. Software OpenGL runs all lanes through both sides of a branch, so there are few branches. Source:
// seed 002, "Solid movable cells" to "Gas movable cell"; Toffoli & Margolus 1987, ch. 12.
#extension GL_ARB_shader_group_vote : enable
#include "generated/tick.glsl"
#include "generated/images.glsl"
#include "generated/layout.glsl"

// One of 256 equally likely values, for one use of a random word.
int drawn(uint word, int use) { return int(word >> (8 * use) & 0xFFu); }

// Move a slow powder or liquid on a still atom diagonally down, if the cell to the side and the cell below that one
// have room. An atom whose grain is not below the slide of its material slides only if it is loaded: a powder or liquid
// lies on it. So no heap is steeper than two to one. Water by mass slides only under a lighter fluid; elsewhere rule
// flow moves it.
bool slides(inout Piece piece, Piece below, Piece beside, inout Piece target, int side, bool loaded, bool may,
            uint word, int shed)
{
    Atom atom = atom_from(piece.atom.word);
    bool still = abs(atom.velocity.y) <= SLIDE_SPEED && atom_from(below.atom.word).velocity.y == 0;
    bool holds = material_of(below.atom.word) == material_of(piece.atom.word) || is_solid(below);
    int hold = holds ? stick_in(piece.contact) : 0; // of 256
    bool own = is_amount(atom.material) && (is_empty(target) || is_amount(int(material_of(target.atom.word))));
    bool falls = is_heavy(piece) && !own;
    bool possible = may && falls && still && !gives_way(below, piece) && gives_way(beside, piece) &&
        gives_way(target, piece) && (loaded || int(atom.grain) < slide_in(piece.matter)) && hold < 256;
    bool empty = is_empty(target);
    bool kept = loaded && empty && shed >= (is_fluid(piece) ? SHED_LIQUID : SHED_POWDER);
    bool held = kept || drawn(word, 2) < hold;
    bool moves = possible && !held && (empty || drawn(word, 3) < exchange_chance(piece, target));
    unsettled = unsettled || possible;
    changed = changed || moves;
    atom.velocity = ivec2(bounded_speed(atom.velocity.x + side * SLIDE_ACROSS), SLIDE_SPEED);
    piece.atom.word = moves && empty ? word_of(atom) : piece.atom.word;
    exchange(piece, target, moves);
    return moves;
}

const int NOT_DRAWN = 256; // above all chances: the exchange happens in another tick

// Exchange a gas with an empty cell or another gas beside it, or above or below it, with a probability.
void diffuses(inout Piece one, inout Piece other, bool may, int draw)
{
    bool gas = is_gas(one), gases = gas && is_gas(other);
    int readiness = max(gas ? spread_in(one.contact) : 0, is_gas(other) ? spread_in(other.contact) : 0);
    bool possible = may && readiness > 0 && material_of(one.atom.word) != material_of(other.atom.word) &&
        (gases || (gas ? is_empty(other) : is_empty(one) && is_gas(other)));
    bool moves = possible && draw < readiness;
    unsettled = unsettled || possible;
    changed = changed || moves;
    exchange(one, other, moves);
}

// Test if a gas may diffuse along gravity. With gravity, only a moving gas and an empty cell may be exchanged: so a gas
// at rest under a roof stays, and gases lie in layers.
bool diffuses_along(Piece one, Piece other)
{
    bool moves = !is_at_rest(one) || !is_at_rest(other);
    return GRAVITY == GRAVITY_OFF || (moves && (is_empty(one) || is_empty(other)));
}

// The part of a difference of speed that the faster of two atoms gives to the slower.
int given(int difference, int cohesion) { return sign(difference) * (abs(difference) * cohesion / (2 * COHESION_ONE)); }

// Make the velocities of two moving atoms of one material more alike, so that a stream holds together. The sum of the
// velocities stays the same. Speeds along gravity change only if both have the same sign, because an atom with speed 0
// would count as an atom at rest. Speeds of powders across gravity, too, change only if both have the same sign, so
// that atoms that have bounced off in opposite directions keep their speeds.
void cohere(inout Piece one, inout Piece other)
{
    bool may = material_of(one.atom.word) == material_of(other.atom.word) && !is_at_rest(one) && !is_at_rest(other);
    Atom a = atom_from(one.atom.word), b = atom_from(other.atom.word);
    int cohesion = may ? cohesion_in(one.matter) : 0;
    ivec2 difference = a.velocity - b.velocity;
    bool alike = sign(a.velocity.y) * sign(b.velocity.y) > 0;
    bool shares = is_fluid(one) || sign(a.velocity.x) * sign(b.velocity.x) > 0;
    ivec2 part = ivec2(shares ? given(difference.x, cohesion) : 0, alike ? given(difference.y, cohesion) : 0);
    a.velocity -= part;
    b.velocity += part;
    one.atom.word = part != ivec2(0) ? word_of(a) : one.atom.word;
    other.atom.word = part != ivec2(0) ? word_of(b) : other.atom.word;
}

void settle_block(inout Piece a, inout Piece b, inout Piece c, inout Piece d, bool a_loaded, bool b_loaded, int near,
                  uvec4 words)
{
    int side = 1 - 2 * near; // from the near column to the far one
    bool fell = false;
    if (GRAVITY != GRAVITY_OFF) {
        fell = slides(a, c, b, d, side, a_loaded, true, words.z, drawn(words.w, 2));
        bool slid = slides(b, d, a, c, -side, b_loaded, !fell, words.z, drawn(words.w, 2));
        fell = fell || slid;
    }
    cohere(a, b);
    cohere(c, d);
    cohere(a, c);
    cohere(b, d);
    bool along = (words.w >> 31) == 1u; // gravity, or across it
    int first = drawn(words.w, 0), second = drawn(words.w, 1);
    diffuses(a, b, !fell, along ? NOT_DRAWN : first);
    diffuses(c, d, !fell, along ? NOT_DRAWN : second);
    diffuses(a, c, !fell && diffuses_along(a, c), along ? first : NOT_DRAWN);
    diffuses(b, d, !fell && diffuses_along(b, d), along ? second : NOT_DRAWN);
}
