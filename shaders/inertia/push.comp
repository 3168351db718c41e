#version 430
// Slow down what falls into water by mass, and hand its momentum to the water below. Law: the water gets as much
// momentum as a powder that sinks loses; what the small floats of a cell cannot hold goes on to the next cell below.
// Many cells take a little each, because a few fast ones would leave holes behind the powder; so the powder loses no
// more than they can take. Liquid, and powder that is not denser than the water, stops: the water gets what it can take
// of the momentum of the lowest few atoms. Each cell of water belongs to the nearest atom above it: no two invocations
// change one cell. The pass works in the tiles of rule atoms; each invocation works on one column of a tile.
// Twin: oracle.inertia.push.
#include "generated/images.glsl"
#include "atoms/runs.glsl"
#include "atoms/waking.glsl"
#include "lib/domain.glsl"
#include "lib/other_tiles.glsl"
#include "lib/small_float.glsl"
#include "generated/listed.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// The codes of the momentum of a cell of water, in gravity's frame.
ivec2 codes_at(ivec2 at) { return turned_to_frame(momentum_of(load_motion(to_world(at, size)))); }

// The momentum down that a cell of water can still take, in units of mass times cells a tick. It is 0 if the cell
// holds more than still water would, compared with the water above it: the cell is being pressed against the floor, and
// a further push only compresses it. Over the first cell below the powder lies no water.
int room_at(ivec2 at, bool is_first)
{
    int mass = load_mass(to_world(at, size)), now = decoded(codes_at(at).y);
    int over = load_mass(to_world(inside_world(at - ivec2(0, 1), frame_size(size)), size));
    int most = min((mass >> 4) * WATER_PUSHED_MOST, WATER_LARGEST);
    bool is_pressed = !is_first && mass - max(over, FULL) > WATER_PUSHED_STEP;
    return mass <= WATER_DRY || is_pressed ? 0 : max(decoded(encoded(most)) - now, 0);
}

// Add to the momentum down of a cell of water, in units of mass times cells a tick. Returns what the cell has got,
// after its number is rounded.
int added_to(ivec2 at, int wanted)
{
    ivec2 codes = codes_at(at);
    int now = decoded(codes.y);
    codes.y = encoded(now + wanted);
    store_motion(to_world(at, size), motion_word(turned_to_world(codes)));
    return decoded(codes.y) - now;
}

// The place so many cells below another, and whether it holds water that belongs to the atom there.
bool is_below(ivec2 at, int cells, out ivec2 place)
{
    ivec2 frame = frame_size(size), below = at + ivec2(0, cells);
    place = inside_world(below, frame);
    return cells < frame.y && !is_outside(below, frame) && is_amount(int(material_at(to_world(place, size))));
}

// The momentum of an atom of a density at a speed of 1/16 cell a tick.
int momentum_of_density(int density) { return density * 8192 / 125; }

bool is_mobile(Weight weight)
{
    return (weight.state == STATE_POWDER || weight.state == STATE_LIQUID) && !is_amount(weight);
}

// Stop the atoms that have fallen onto the water below a cell, the lowest few of their stack. Returns their momentum.
int stop_fallen(ivec2 at)
{
    int momentum = 0;
    bool more = true;
    for (int i = 0; i < WATER_FALLEN_CELLS && more; i++) {
        Weight weight = weight_at(at - ivec2(0, i));
        more = is_mobile(weight);
        if (more && weight.speed > 0) {
            ivec2 place = inside_world(at - ivec2(0, i), frame_size(size));
            Atom atom = atom_at(place);
            atom.velocity.y = 0;
            store_cells(to_world(place, size), word_of(atom));
            momentum += momentum_of_density(weight.density) * weight.speed;
        }
    }
    return momentum;
}

bool sinks_in(Weight upper, Weight lower) { return is_powder(upper) && upper.density > lower.density; }

// Test if an atom that falls pushes the water below it: not if it sinks at its steady speed.
bool pushes(Weight upper, Weight lower)
{
    return !sinks_in(upper, lower) || upper.speed > steady_speed(true, upper, lower);
}

// Let an atom that pushes, and those on it that have fallen, push the water below. Returns the last row that has
// changed; -1: none.
int push(ivec2 at, Weight upper, Weight lower)
{
    bool sinks = sinks_in(upper, lower);
    // `most` is the speed that a powder loses where there is room.
    int mass = momentum_of_density(upper.density), most = 0;
    if (sinks)
        most = lost_speed(upper.speed - steady_speed(true, upper, lower), lower, 1);
    int wanted = sinks ? most * mass : stop_fallen(at), room = 0;
    ivec2 place;
    for (int i = 1; i <= WATER_PUSHED_DEPTH && room < wanted && is_below(at, i, place); i++)
        room += room_at(place, i == 1);
    int left = min(wanted, room);
    if (sinks) {
        int lost = min(most, room / mass);
        if (lost == 0)
            return -1;
        Atom atom = atom_at(at);
        atom.velocity.y -= lost;
        store_cells(to_world(at, size), word_of(atom));
        left = lost * mass;
    }
    int last = at.y;
    for (int i = 1; i <= WATER_PUSHED_REACH && left != 0 && is_below(at, i, place); i++) {
        left -= added_to(place, min(left, room_at(place, i == 1)));
        last = at.y + i;
    }
    return last;
}

void main()
{
    int entry = listed();
    if (entry < 0)
        return;
    ivec2 first = tile_of(uint(entry)) * TILE + ivec2(gl_LocalInvocationID.x, 0), frame = frame_size(size);
    if (first.x >= frame.x || GRAVITY == GRAVITY_OFF)
        return;
    // First a cheap test of each cell: is there water below it, and does one of the lowest WATER_FALLEN_CELLS atoms of
    // the stack over this water move down? The rest follows only in such cells, each step in a loop of its own; see
    // reactions/react.comp for the reason. `moving` is the number of further cells for which the last atom that moves
    // down is still one of these atoms.
    int cells = min(TILE.y, frame.y - first.y), moving = 0;
    uint pushing = 0u;
    for (int i = 1 - WATER_FALLEN_CELLS; i < cells; i++) {
        Weight weight = weight_at(first + ivec2(0, i));
        pushing |= i > 0 && moving > 0 && is_amount(weight) ? 1u << (i - 1) : 0u;
        moving = !is_mobile(weight) ? 0 : weight.speed > 0 ? WATER_FALLEN_CELLS : moving - 1;
    }
    pushing |= moving > 0 && is_amount(weight_at(first + ivec2(0, cells))) ? 1u << (cells - 1) : 0u;
    for (uint left = pushing; left != 0u; left &= left - 1u) {
        int row = findLSB(left);
        ivec2 at = first + ivec2(0, row);
        pushing ^= pushes(weight_at(at), weight_at(at + ivec2(0, 1))) ? 0u : 1u << row;
    }
    int highest = frame.y, lowest = -1, deepest = -1; // the rows of what has pushed, and the last row of water
    for (; pushing != 0u; pushing &= pushing - 1u) {
        ivec2 at = first + ivec2(0, findLSB(pushing));
        int last = push(at, weight_at(at), weight_at(at + ivec2(0, 1)));
        highest = last >= 0 ? min(highest, at.y - WATER_FALLEN_CELLS + 1) : highest;
        lowest = last >= 0 ? at.y : lowest;
        deepest = max(deepest, last);
    }
    if (lowest < 0)
        return;
    if (own_column_mask(first.x) != 0 && has_own_row(highest, max(lowest, deepest)))
        mark_active(tick);
    note_changes(CHANGED, ivec2(first.x, highest - MARGIN), first, ivec2(first.x, lowest + MARGIN), ivec2(MARGIN, 0));
    note_others(ivec2(first.x, highest), ivec2(first.x, deepest), frame);
}
