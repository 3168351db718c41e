#version 430
// Slow down the powder that sinks into water by mass, and hand its momentum to the water below. Law: the water gets as
// much momentum as the powder loses; what the small floats of a cell cannot hold goes on to the next cell below. Many
// cells take a little each, because a few fast ones would leave holes behind the powder; so the powder loses no more
// than they can take. Each cell of water belongs to the nearest atom above it: no two invocations change one cell. The
// pass works in the tiles of rule atoms, a column of a tile an invocation. Twin: oracle.inertia.push.
#include "generated/images.glsl"
#include "atoms/runs.glsl"
#include "atoms/waking.glsl"
#include "lib/other_tiles.glsl"
#include "lib/small_float.glsl"

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

// Let the powder in a cell push the water below it. Returns the last row that has changed; -1: none.
int push(ivec2 at, Weight upper, Weight lower)
{
    int excess = upper.speed - steady_speed(true, upper, lower);
    if (excess <= 0 || upper.density <= lower.density)
        return -1;
    ivec2 place;
    int room = 0, mass = upper.density * 8192 / 125; // units of momentum at a speed of 1/16 cell a tick
    for (int i = 1; i <= WATER_PUSHED_DEPTH && is_below(at, i, place); i++)
        room += room_at(place, i == 1);
    int lost = min(lost_speed(excess, lower, 1), room / mass), left = lost * mass;
    if (lost == 0)
        return -1;
    Atom atom = atom_at(at);
    atom.velocity.y -= lost;
    store_cells(to_world(at, size), word_of(atom));
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
    // First the cheap test, cell after cell: a powder that moves down, over water. All the rest follows only there.
    int cells = min(TILE.y, frame.y - first.y);
    uint pushing = 0u;
    bool moves = false;
    for (int i = 0; i < cells; i++) {
        uint word = word_at(to_world(first + ivec2(0, i), size));
        int material = int(material_of(word));
        pushing |= moves && is_amount(material) ? 1u << i : 0u;
        moves = state_of(material) == STATE_POWDER && turned_to_frame(velocity_of(word)).y > 0;
    }
    pushing >>= 1;
    pushing |= moves && is_amount(weight_at(first + ivec2(0, cells))) ? 1u << (cells - 1) : 0u;
    int highest = frame.y, lowest = -1, deepest = -1; // the rows of powder that has pushed, and the last row of water
    for (; pushing != 0u; pushing &= pushing - 1u) {
        ivec2 at = first + ivec2(0, findLSB(pushing));
        int last = push(at, weight_at(at), weight_at(at + ivec2(0, 1)));
        highest = last >= 0 ? min(highest, at.y) : highest;
        lowest = last >= 0 ? at.y : lowest;
        deepest = max(deepest, last);
    }
    if (lowest < 0)
        return;
    mark_active(tick);
    note_changes(CHANGED, ivec2(first.x, highest - MARGIN), first, ivec2(first.x, lowest + MARGIN), ivec2(MARGIN, 0));
    note_others(ivec2(first.x, highest), ivec2(first.x, deepest), frame);
}
