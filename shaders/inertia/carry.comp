#version 430
// Let streams of water by mass carry powder along: powder rolls or drifts into the water ahead of it, and fast water
// lifts it from its bed. Law: each 2x2 block (Margolus neighbourhood) is changed by the invocation that owns it: at
// most two cells, with powder and with water, change places, with all that they carry and with the momentum of the
// water; the water that moves the powder loses half of the momentum that it has above the threshold of the material.
// The rule is written for a stream from the near column to the far one; a coin says which column is near, and a stream
// the other way is tried next. Without gravity a coin says along which axis the stream flows, and another which row is
// tried first. The pass works in the tiles of rule flow. Twin: oracle.inertia.carry.
#include "generated/tick.glsl"
#include "atoms/margin.glsl"
#include "generated/images.glsl"
#include "generated/carried.glsl"
#include "generated/inertia.glsl"
#include "generated/ledger.glsl"
#include "inertia/shares.glsl"
#include "lib/chance.glsl"
#include "lib/edges.glsl"
#include "lib/frame.glsl"
#include "lib/other_tiles.glsl"
#include "lib/tiles.glsl"
#include "generated/listed.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const bool WEIGHTLESS = GRAVITY == GRAVITY_OFF;
const int SLOW_BITS = WEIGHTLESS ? WEIGHTLESS_BITS : DRIFT_BITS;

// The state of a cell of a block, as far as moves depend on it.
struct Part {
    int threshold; // of powder, in 2**-SPEED_BITS cells a tick; 0: nothing carries what is here
    int gain;      // of powder that rolls: the exponent in its probability to move, as in `try_move`
    int mass;      // of water, in units; 0 in other cells
    bool filled;   // an atom, a wall or a cell outside the world
    ivec2 speed;   // of water that can carry, in 2**-SPEED_BITS cells a tick: forward and aside in the block
};

// A move in a block: powder in cell `from` and water in cell `to` change places, and the water in cell `mover`, which
// may be the same, pays by its momentum along an axis of the frame: 0 across gravity, 1 down.
struct Move {
    bool possible; // powder could move, with some draw
    bool made;
    int from;
    int to;
    int mover;
    int axis;
    int threshold;
};

ivec2 cell_at(ivec2 at)
{
    ivec2 frame = frame_size(size);
    return to_world(inside_world(at, frame), size);
}

// The speed of a momentum of water that can carry. The cell is at least half full, so the quotient has 15 bits.
int speed_of(int momentum, int mass) { return with_sign(((abs(momentum) >> 4) << 10) / (mass >> 8), momentum); }

Part part_at(ivec2 at, ivec2 ahead, ivec2 aside)
{
    ivec2 cell = cell_at(at);
    bool outside = is_outside(at, frame_size(size));
    uint material = outside ? 0u : material_of(load_cells(cell));
    int mass = outside || material != 0u ? 0 : load_mass(cell);
    ivec2 momentum = turned_to_frame(loaded_momentum(load_motion(cell)));
    bool carries = mass >= CARRIES_FROM;
    int divisor = max(mass, CARRIES_FROM);
    ivec2 along = ivec2(momentum.x * ahead.x + momentum.y * ahead.y, momentum.x * aside.x + momentum.y * aside.y);
    ivec2 speed = carries ? ivec2(speed_of(along.x, divisor), speed_of(along.y, divisor)) : ivec2(0);
    int code = CARRIED_AT[material], gain = (code & FLOATS) != 0 || WEIGHTLESS ? SLOW_BITS : ROLL_BITS;
    return Part(code & (FLOATS - 1), gain, mass, outside || material != 0u, speed);
}

// Try a move of powder with a threshold, at a speed of the water above `least`. The chance, in 65536ths, is
// (speed - (least - threshold)) * 2**gain. `cells` are the numbers of the cells `from`, `to` and `mover` of `Move`.
void try_move(inout Move move, bool may, int threshold, int least, int speed, int gain, ivec3 cells, int axis,
              uint draw)
{
    bool possible = may && !move.made && threshold > 0 && speed > least;
    bool made = possible && int(draw) < (speed - (least - threshold)) << gain;
    move.possible = move.possible || possible;
    if (made)
        move = Move(true, true, cells.x, cells.y, cells.z, axis, threshold);
}

// Try the moves by a stream from the near column to the far one. Parts a and b are the upper row, c and d the lower
// one; a and c lie in the near column. `number` gives the numbers of these four cells.
void try_stream(inout Move move, Part a, Part b, Part c, Part d, ivec4 number, int axis, uvec2 draws)
{
    bool beside = d.speed.x >= a.speed.x, ahead = b.speed.x >= c.speed.x, falls = a.speed.y > a.speed.x;
    try_move(move, d.mass > 0, c.threshold, c.threshold, max(d.speed.x, a.speed.x), c.gain,
             ivec3(number.z, number.w, beside ? number.w : number.x), axis, draws.x & 0xFFFFu);
    try_move(move, b.mass > 0, a.threshold, a.threshold, max(b.speed.x, c.speed.x), SLOW_BITS,
             ivec3(number.x, number.y, ahead ? number.y : number.z), axis, draws.x >> 16);
    if (WEIGHTLESS)
        return;
    bool room = b.mass >= CARRIES_FROM;
    try_move(move, room && c.gain == ROLL_BITS && d.filled, c.threshold, c.threshold * LIFTS_AT,
             max(a.speed.x, a.speed.y), ROLL_BITS, ivec3(number.z, number.y, number.x), falls ? 1 : 0,
             draws.y & 0xFFFFu);
    try_move(move, room && d.gain == ROLL_BITS, d.threshold, d.threshold * LIFTS_AT, c.speed.x, ROLL_BITS,
             ivec3(number.w, number.y, number.z), axis, draws.y >> 16);
}

Part turned_back(Part part)
{
    part.speed.x = -part.speed.x;
    return part;
}

// Take from the water in a cell half of the momentum that it has along an axis above a threshold.
void pay(ivec2 at, int axis, int threshold)
{
    ivec2 cell = cell_at(at), codes = turned_to_frame(momentum_of(load_motion(cell)));
    int number = decoded(axis == 0 ? codes.x : codes.y), mass = load_mass(cell);
    int excess = max(abs(number) - ((mass >> 8) * threshold >> 6), 0);
    int code = encoded(with_sign(abs(number) - (excess >> 1), number));
    codes = axis == 0 ? ivec2(code, codes.y) : ivec2(codes.x, code);
    store_motion(cell, motion_word(turned_to_world(codes)));
}

// Let powder and water change places.
void change_places(ivec2 one, ivec2 other)
{
    ivec2 first = cell_at(one), second = cell_at(other);
    uint word = load_cells(first), motion = load_motion(first);
    Carried carried = load_carried(first), passed = load_carried(second);
    store_cells(first, load_cells(second));
    store_motion(first, load_motion(second));
    store_carried(first, passed);
    store_cells(second, word);
    store_motion(second, motion);
    store_carried(second, carried);
}

// Note that a block has changed or may change: its water for rule flow, and its atoms, if they have moved.
void note_block(ivec2 at, bool moved)
{
    ivec2 frame = frame_size(size);
    if (is_own_block(at))
        mark_active(tick);
    note_latest(tick);
    note_cell(CHANGED, at, frame, tick);
    note_cell(CHANGED, at + ivec2(1, 0), frame, tick);
    note_cell(CHANGED, at + ivec2(0, 1), frame, tick);
    note_cell(CHANGED, at + 1, frame, tick);
    if (moved)
        note_others(at - MARGIN, at + 1 + MARGIN, frame);
}

// Let the water of one block carry powder. Coins choose the direction of the stream that is tried first; without
// gravity also the axis of the stream and the row that is tried first. Without gravity a tick tries one axis only; but
// water beside powder then loses momentum in each tick, which keeps the tile awake.
void carry_block(ivec2 at)
{
    uvec4 words = noise_of_block(at, uint(USE_CARRY));
    int axis = WEIGHTLESS ? int(words.x >> 30 & 1u) : 0;
    ivec2 along = ivec2(1 - axis, axis), aside = ivec2(axis, 1 - axis),
          coins = ivec2(words.x >> 31, words.x >> 29 & 1u);
    int near = axis == 0 ? coins.x : coins.y, first = !WEIGHTLESS ? 0 : axis == 0 ? coins.y : coins.x;
    int side = 1 - 2 * near;
    ivec2 places[4] =
        ivec2[](at + along * near + aside * first, at + along * (1 - near) + aside * first, ivec2(0), ivec2(0));
    places[2] = places[0] + aside * (1 - 2 * first);
    places[3] = places[1] + aside * (1 - 2 * first);
    Part a = part_at(places[0], along * side, aside), b = part_at(places[1], along * side, aside);
    Part c = part_at(places[2], along * side, aside), d = part_at(places[3], along * side, aside);
    Move move = Move(false, false, 0, 0, 0, 0, 0);
    try_stream(move, a, b, c, d, ivec4(0, 1, 2, 3), axis, words.yz);
    a = turned_back(a);
    b = turned_back(b);
    c = turned_back(c);
    d = turned_back(d);
    try_stream(move, b, a, d, c, ivec4(1, 0, 3, 2), axis, words.yz);
    if (move.made) {
        pay(places[move.mover], move.axis, move.threshold);
        change_places(places[move.from], places[move.to]);
    }
    if (move.possible)
        note_block(at, move.made);
}

// Carry powder in the blocks of a column. The first loop finds the few blocks with both powder that water could carry
// and a cell without an atom.
void search_rows(ivec2 first, int rows)
{
    ivec2 frame = frame_size(size), right = ivec2(1, 0), down = ivec2(0, 1);
    uint found = 0u;
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, 2 * row);
        uvec4 material = uvec4(material_of(load_cells(cell_at(at))), material_of(load_cells(cell_at(at + right))),
                               material_of(load_cells(cell_at(at + down))), material_of(load_cells(cell_at(at + 1))));
        bool powder =
            (CARRIED_AT[material.x] | CARRIED_AT[material.y] | CARRIED_AT[material.z] | CARRIED_AT[material.w]) != 0;
        bool open = any(equal(material, uvec4(0u)));
        found |= powder && open && is_block(at, frame) ? 1u << row : 0u;
    }
    for (; found != 0u; found &= found - 1u)
        carry_block(first + ivec2(0, 2 * findLSB(found)));
}

void main()
{
    int entry = listed();
    if (entry < 0)
        return;
    ivec2 first_cell = tile_of(uint(entry)) * TILE, first = (first_cell + 1) / 2, last = (first_cell + TILE + 1) / 2;
    int across = last.x - first.x, lane = int(gl_LocalInvocationID.x);
    // Invocations beyond the columns of the tile work on further parts of these columns.
    int parts = max(GROUP_X / across, 1), rows = min((last.y - first.y + parts - 1) / parts, 32);
    for (int unit = lane; unit < across * ((last.y - first.y + rows - 1) / rows); unit += GROUP_X) {
        ivec2 block = first + ivec2(unit % across, unit / across * rows), at = 2 * block;
        ivec2 begin = at - partition_offset(at, world_tick(at), uint(USE_OFFSET));
        if (begin.x < frame_size(size).x)
            search_rows(begin, min(rows, last.y - block.y));
    }
}
