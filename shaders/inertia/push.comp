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

// The momentum down that a cell of water can take.
int room_at(ivec2 at)
{
    int mass = load_mass(to_world(at, size)), now = decoded(codes_at(at).y);
    int most = min((mass >> 4) * WATER_FASTEST_PUSHED, WATER_LARGEST);
    return mass <= WATER_DRY ? 0 : max(decoded(encoded(most)) - now, 0);
}

// Add to the momentum down of a cell of water. Returns what the cell has got, after its number is rounded.
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
    return cells < frame.y && !is_outside(below, frame) && is_water(int(material_at(to_world(place, size))));
}

// Let the powder in a cell push the water below it.
void push(ivec2 at, Weight upper, Weight lower)
{
    int excess = upper.speed - steady_speed(true, upper, lower);
    if (excess <= 0)
        return;
    ivec2 place;
    int room = 0, mass = upper.density * 8192 / 125; // units of momentum at a speed of 1/16 cell a tick
    for (int i = 1; i <= WATER_TAKING && is_below(at, i, place); i++)
        room += room_at(place);
    int lost = min(lost_speed(excess, lower, 1), room / mass), left = lost * mass;
    if (lost == 0)
        return;
    Atom atom = atom_at(at);
    atom.velocity.y -= lost;
    store_cells(to_world(at, size), word_of(atom));
    int last = 0;
    for (int i = 1; i <= WATER_HOLDING && left != 0 && is_below(at, i, place); i++) {
        left -= added_to(place, min(left, room_at(place)));
        last = i;
    }
    mark_active(tick);
    note_change(CHANGED, at);
    note_others(at, at + ivec2(0, last), frame_size(size));
}

void main()
{
    int entry = listed();
    if (entry < 0)
        return;
    ivec2 first = tile_of(uint(entry)) * TILE + ivec2(gl_LocalInvocationID.x, 0), frame = frame_size(size);
    if (first.x >= frame.x || GRAVITY == GRAVITY_OFF)
        return;
    for (int y = first.y; y < min(first.y + TILE.y, frame.y); y++) {
        ivec2 at = ivec2(first.x, y);
        Weight upper = weight_of(atom_from(load_cells(to_world(at, size))));
        if (is_powder(upper) && upper.speed > 0) {
            Weight lower = weight_at(at + ivec2(0, 1));
            if (is_water(lower) && upper.density > lower.density)
                push(at, upper, lower);
        }
    }
}
