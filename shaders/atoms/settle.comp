#version 430
// Settle atoms in 2x2 blocks: denser atoms sink through fluids, powders and liquids slide down diagonals, gases
// diffuse. Law: each block (Margolus neighbourhood) is permuted by the invocation that owns it; the atoms above a block
// are read in their old state. Twin: oracle.atoms.settle.
// The rule is written for one side, and a coin mirrors the block. Branches save no time on software OpenGL, which runs
// all lanes through both sides: only less work does.
// Source: seed 002, "Solid movable cells" to "Gas movable cell"; Toffoli & Margolus 1987, ch. 12.
#include "generated/images.glsl"
#include "generated/layout.glsl"

// One of 256 equally likely values, for one use of a random word.
int drawn(uint word, int use) { return int(word >> (8 * use) & 0xFFu); }

// Test if two atoms can change places without starting a fall or rise: both are at rest and would fall if they could.
bool rest_alike(Piece a, Piece b)
{
    return HEAVY_FALLS[0] != 0 && is_heavy(a) && is_heavy(b) && is_at_rest(a) && is_at_rest(b);
}

// Exchange a denser atom with the fluid below it, with a probability.
bool sinks(inout Piece upper, inout Piece lower, int draw)
{
    bool could = is_mobile(upper) && !is_empty(lower) && gives_way(lower, upper);
    bool does = could && draw < exchange_chance(upper, lower);
    bool alike = rest_alike(upper, lower);
    unsettled = unsettled || could;
    exchanged = exchanged || (does && alike);
    changed = changed || (does && !alike);
    exchange(upper, lower, does);
    return does;
}

// Move a slow powder or liquid on a still atom diagonally down, if the cell to the side and the cell below that one
// have room. An atom too rough to slide does so only if loaded, so that no heap is steeper than two to one.
bool slides(inout Piece piece, Piece below, Piece beside, inout Piece target, int side, bool loaded, bool may,
            uint word)
{
    Atom atom = atom_from(piece.atom.word);
    bool still = abs(atom.velocity.y) <= SLIDE_SPEED && atom_from(below.atom.word).velocity.y == 0;
    bool holds = material_of(below.atom.word) == material_of(piece.atom.word) || is_solid(below);
    int hold = holds ? stick_in(piece.matter) : 0; // of 256
    bool could = may && is_heavy(piece) && still && !gives_way(below, piece) && gives_way(beside, piece) &&
        gives_way(target, piece) && (loaded || int(atom.grain) < slide_in(piece.matter)) && hold < 256;
    bool held = drawn(word, 2) < hold;
    bool empty = is_empty(target);
    bool does = could && !held && (empty || drawn(word, 3) < exchange_chance(piece, target));
    bool alike = rest_alike(piece, target);
    unsettled = unsettled || could;
    exchanged = exchanged || (does && alike);
    changed = changed || (does && !alike);
    atom.velocity = ivec2(bounded_speed(atom.velocity.x + side * SLIDE_ACROSS), SLIDE_SPEED);
    piece.atom.word = does && empty ? word_of(atom) : piece.atom.word;
    exchange(piece, target, does);
    return does;
}

// Exchange a gas with an empty cell or another gas at its side, with a probability.
void diffuses(inout Piece left, inout Piece right, bool may, int draw)
{
    bool gas = is_gas(left), other = is_gas(right);
    int readiness = max(gas ? spread_in(left.matter) : 0, other ? spread_in(right.matter) : 0);
    bool could = may && readiness > 0 && material_of(left.atom.word) != material_of(right.atom.word) &&
        (gas || is_empty(left)) && (other || is_empty(right));
    bool does = could && draw < readiness;
    unsettled = unsettled || could;
    changed = changed || does;
    exchange(left, right, does);
}

void settle_block(inout Piece a, inout Piece b, inout Piece c, inout Piece d, bool a_loaded, bool b_loaded, int near,
                  uvec4 words)
{
    int side = 1 - 2 * near; // from the near column to the far one
    bool fell = false;
    if (GRAVITY != GRAVITY_OFF) {
        fell = sinks(a, c, drawn(words.y, near));
        fell = sinks(b, d, drawn(words.y, 1 - near)) || fell;
        bool slid = slides(a, c, b, d, side, a_loaded, !fell, words.z);
        fell = fell || slid;
        slid = slides(b, d, a, c, -side, b_loaded, !fell, words.z);
        fell = fell || slid;
    }
    diffuses(a, b, !fell, drawn(words.w, 0));
    diffuses(c, d, !fell, drawn(words.w, 1));
}
