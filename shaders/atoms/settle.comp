#version 430
// What settles: the denser sinks through fluids, powders and liquids slide down diagonals, gases diffuse.
// Law: each 2x2 block (Margolus neighbourhood) is permuted by the invocation that owns it. Twin: oracle.atoms.settle.
// Source: seed 002, "Solid movable cells" to "Gas movable cell"; Toffoli & Margolus 1987, ch. 12.
#include "generated/images.glsl"
#define FROM cells
#define TO cells
#define TRACE_FROM trace
#define TRACE_TO trace
#include "generated/ledger.glsl"
#include "atoms/cells.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform uint substep;

// The four partition offsets come in turn, in an order that each four draw anew; along gravity they alternate.
ivec2 partition_offset()
{
    uint count = tick * uint(SUBSTEPS) + substep;
    uint drawn = pcg4d(uvec4(count >> 2, 0u, 0u, seed + USE_ORDER * 0x9E3779B9u)).x;
    uint phase = count & 3u;
    uvec2 offset = uvec2((phase ^ (phase >> 1)) & 1u, phase & 1u);
    return ivec2((offset ^ uvec2(drawn, drawn >> 1)) & 1u);
}

Atom block[4]; // upper left, upper right, lower left, lower right
uint changed;  // a bit for each of them

void swap(int a, int b)
{
    Atom atom = block[a];
    block[a] = block[b];
    block[b] = atom;
    changed |= 1u << a | 1u << b;
}

// Of 256 equally likely values, one drawn for each use of the block's random words.
int drawn(uint word, int use) { return int(word >> (8 * use) & 0xFFu); }

// A denser atom above a fluid changes places with it, sooner or later.
bool sinks(int column, uint word)
{
    Atom upper = block[column], lower = block[column + 2];
    if (!is_mobile(upper) || is_empty(lower) || !gives_way(lower, upper))
        return false;
    note_stir(tick);
    if (drawn(word, column) >= exchange_chance(upper, lower))
        return false;
    swap(column, column + 2);
    return true;
}

// A powder or liquid at rest on something that holds it goes down to the side, if there is room beside it and below.
bool slides(int column, uint word)
{
    Atom atom = block[column], below = block[column + 2];
    Atom beside = block[1 - column], target = block[3 - column];
    if (!is_heavy(atom) || atom.velocity.y != 0 || gives_way(below, atom) || !gives_way(beside, atom))
        return false;
    if (below.velocity.y != 0 || !gives_way(target, atom) || int(atom.grain) >= SLIDE_OF[atom.material])
        return false;
    note_stir(tick);
    bool holds = below.material == atom.material || is_solid(below);
    if (holds && drawn(word, 2) < STICK_OF[atom.material])
        return false;
    if (!is_empty(target) && drawn(word, 3) >= exchange_chance(atom, target))
        return false;
    if (is_empty(target)) {
        int side = 1 - 2 * column;
        block[column].velocity = ivec2(bounded_speed(atom.velocity.x + side * SLIDE_SPEED), SLIDE_SPEED);
    }
    swap(column, 3 - column);
    return true;
}

// A gas changes places with emptiness, or with another gas, beside it.
void diffuses(int row, uint word)
{
    Atom left = block[2 * row], right = block[2 * row + 1];
    bool with_gas = (is_gas(left) && (is_gas(right) || is_empty(right))) || (is_empty(left) && is_gas(right));
    if (!with_gas || left.material == right.material)
        return;
    note_stir(tick);
    int readiness = max(is_gas(left) ? SPREAD_OF[left.material] : 0, is_gas(right) ? SPREAD_OF[right.material] : 0);
    if (drawn(word, row) < readiness)
        swap(2 * row, 2 * row + 1);
}

void main()
{
    ivec2 at = 2 * ivec2(gl_GlobalInvocationID.xy) - partition_offset();
    ivec2 frame = frame_size(size);
    int past = EDGES == EDGES_WRAP ? 1 : 0; // on a torus the block that begins one before the edge is the last one too
    if (at.x + past >= frame.x || at.y + past >= frame.y)
        return;
    bool alike = true;
    for (int i = 0; i < 4; i++) {
        block[i] = atom_around(at + ivec2(i & 1, i >> 1));
        alike = alike && (block[i].material == block[0].material || is_solid(block[i]));
    }
    if (alike)
        return;
    changed = 0u;
    uvec4 words = noise(at, tick, seed, USE_SETTLE + substep);
    int coin = int(words.x >> 31);
    bool fell = false;
    if (GRAVITY != GRAVITY_OFF) {
        bool left = sinks(0, words.y), right = sinks(1, words.y);
        fell = left || right || slides(coin, words.z) || slides(1 - coin, words.z);
    }
    if (!fell) {
        diffuses(0, words.w);
        diffuses(1, words.w);
    }
    for (int i = 0; i < 4; i++)
        if ((changed >> i & 1u) == 1u)
            put(inside_world(at + ivec2(i & 1, i >> 1), frame), block[i]);
}
