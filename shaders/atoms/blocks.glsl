// What the kernels of settle share: where blocks lie, what chance draws for them, and how one is put back.
#include "generated/ledger.glsl"
#include "atoms/cells.glsl"
#include "lib/partition.glsl"

uniform uint substep;

// What happened in a block; for what each means to those who look at tiles see waking.glsl.
bool unsettled; // something moved, or could have with another draw
bool exchanged; // atoms at rest changed places, both of which lie on something
bool changed;   // anything else

void exchange(inout Atom a, inout Atom b, bool really)
{
    Atom kept = a;
    if (really) {
        a = b;
        b = kept;
    }
}

void settle_block(inout Atom a, inout Atom b, inout Atom c, inout Atom d, bool a_loaded, bool b_loaded, int near,
                  uvec4 words);

// The first cell of a block, which may lie one outside.
ivec2 first_of(ivec2 block)
{
    return 2 * block - partition_offset(tick * uint(SUBSTEPS) + substep, seed, uint(USE_ORDER));
}

// Whether a block that begins there has cells of the world; on a torus the one that begins one before the edge is the
// last one too.
bool is_block(ivec2 at)
{
    int past = EDGES == EDGES_WRAP ? 1 : 0;
    return at.x + past < frame_size(size).x && at.y + past < frame_size(size).y;
}

uvec4 words_for(ivec2 at) { return noise(at, tick, seed, uint(USE_SETTLE) + substep); }
int near_column(uvec4 words) { return int(words.x >> 31); }

void put_around(ivec2 at, Atom atom)
{
    ivec2 frame = frame_size(size);
    if (!is_outside(at, frame))
        put(inside_world(at, frame), atom);
}
