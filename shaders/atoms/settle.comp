#version 430
// What settles: the denser sinks through fluids, powders and liquids slide down diagonals, gases diffuse.
// Law: each 2x2 block (Margolus neighbourhood) is permuted by the invocation that owns it. What lies on top of the
// block is looked at in the old state, which is why the pass gathers. Twin: oracle.atoms.settle. The rule is written
// for one side; a coin turns the block round. No branch here saves anything on software OpenGL, where all lanes walk
// through all of it: what counts is how little there is. Source: seed 002, "Solid movable cells" to "Gas movable cell";
// Toffoli & Margolus 1987, ch. 12.
#include "generated/images.glsl"
#define FROM cells_read
#define TO cells_write
#define TRACE_FROM trace_read
#define TRACE_TO trace_write
#include "generated/ledger.glsl"
#include "atoms/cells.glsl"
#include "lib/partition.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform uint substep;

bool stirred; // something moved, or could have with another draw

// Of 256 equally likely values, one drawn for each use of a random word.
int drawn(uint word, int use) { return int(word >> (8 * use) & 0xFFu); }

void exchange(inout Atom a, inout Atom b, bool really)
{
    Atom kept = a;
    if (really) {
        a = b;
        b = kept;
    }
}

// A denser atom above a fluid changes places with it, sooner or later.
bool sinks(inout Atom upper, inout Atom lower, int draw)
{
    bool could = is_mobile(upper) && !is_empty(lower) && gives_way(lower, upper);
    bool does = could && draw < exchange_chance(upper, lower);
    stirred = stirred || could;
    exchange(upper, lower, does);
    return does;
}

// A powder or liquid that hardly moves, on something that holds still, goes down to a side, if there is room beside it
// and below. What is too rough to slide is pushed, if something lies on it: so no heap is steeper than two to one.
bool slides(inout Atom atom, Atom below, Atom beside, inout Atom target, int side, bool loaded, bool may, uint word)
{
    bool still = abs(atom.velocity.y) <= SLIDE_SPEED && below.velocity.y == 0;
    int hold = below.material == atom.material || is_solid(below) ? stick_of(atom.material) : 0; // of 256
    bool could = may && is_heavy(atom) && still && !gives_way(below, atom) && gives_way(beside, atom) &&
        gives_way(target, atom) && (loaded || int(atom.grain) < slide_of(atom.material)) && hold < 256;
    bool held = drawn(word, 2) < hold;
    bool empty = is_empty(target);
    bool does = could && !held && (empty || drawn(word, 3) < exchange_chance(atom, target));
    stirred = stirred || could;
    if (does && empty)
        atom.velocity = ivec2(bounded_speed(atom.velocity.x + side * SLIDE_ACROSS), SLIDE_SPEED);
    exchange(atom, target, does);
    return does;
}

// A gas changes places with emptiness, or with another gas, beside it.
void diffuses(inout Atom left, inout Atom right, bool may, int draw)
{
    bool gas = is_gas(left), other = is_gas(right);
    int readiness = max(gas ? spread_of(left.material) : 0, other ? spread_of(right.material) : 0);
    bool could = may && readiness > 0 && left.material != right.material && (gas || is_empty(left)) &&
        (other || is_empty(right));
    bool does = could && draw < readiness;
    stirred = stirred || could;
    exchange(left, right, does);
}

void main()
{
    ivec2 at = 2 * invocation() - partition_offset(tick * uint(SUBSTEPS) + substep, seed, uint(USE_ORDER));
    ivec2 frame = frame_size(size);
    int past = EDGES == EDGES_WRAP ? 1 : 0; // on a torus the block that begins one before the edge is the last one too
    if (at.x + past >= frame.x || at.y + past >= frame.y)
        return;
    uvec4 words = noise(at, tick, seed, uint(USE_SETTLE) + substep);
    int side = (words.x >> 31) == 0u ? 1 : -1; // the way from the near column to the far one
    int near = side > 0 ? 0 : 1, far = 1 - near;
    ivec2 places[4] = ivec2[](at + ivec2(near, 0), at + ivec2(far, 0), at + ivec2(near, 1), at + ivec2(far, 1));
    Atom a = atom_around(places[0]), b = atom_around(places[1]), c = atom_around(places[2]), d = atom_around(places[3]);
    bool a_loaded = is_heavy(atom_around(places[0] - ivec2(0, 1)));
    bool b_loaded = is_heavy(atom_around(places[1] - ivec2(0, 1)));
    stirred = false;
    bool fell = false;
    if (GRAVITY != GRAVITY_OFF) {
        fell = sinks(a, c, drawn(words.y, near));
        fell = sinks(b, d, drawn(words.y, far)) || fell;
        bool slid = slides(a, c, b, d, side, a_loaded, !fell, words.z);
        fell = fell || slid;
        slid = slides(b, d, a, c, -side, b_loaded, !fell, words.z);
        fell = fell || slid;
    }
    diffuses(a, b, !fell, drawn(words.w, 0));
    diffuses(c, d, !fell, drawn(words.w, 1));
    if (stirred)
        note_stir(tick);
    Atom block[4] = Atom[](a, b, c, d);
    for (int i = 0; i < 4; i++)
        if (!is_outside(places[i], frame))
            put(inside_world(places[i], frame), block[i]);
}
