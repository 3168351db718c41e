#version 430
// The next mass and momentum of each cell, gathered from the old ones around it. Law: the mass that a cell sends
// another cell receives; none is made or lost. Twin: oracle.inertia.move.
//
// Each invocation slides a window of rows down its strip. A row passes three stages, each one row behind the one
// before: the pressure of a cell needs the cell below; its momentum after the forces needs the pressures around; what
// it sends needs the momenta around. So each stage is computed about once a cell. All lanes of software OpenGL run
// through both sides of a branch, so this code selects and does not branch.
#include "generated/images.glsl"
#include "generated/inertia.glsl"
#include "generated/ledger.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "flow/tile_strips.glsl"
#include "lib/edges.glsl"
#include "lib/small_float.glsl"
#include "lib/wide.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

uniform uint substep;

const int SPEED_ONE = 14; // speeds of donors are in 2**-14 cells a tick
const int MASS_BITS = 20; // FULL is 2**20 units
const int CARRIED_MOST = (1 << 22) - 1;

// The window has three more columns than the strip on each side: the pressure of the first and the last is needed, the
// momentum of the others, and what those next to the strip send.
const int BESIDE = 3;
const int WINDOW = STRIP_WIDTH + 2 * BESIDE;

ivec2 origin;
int source[WINDOW]; // the x of the cell inside the world that is read for a column
int inside[WINDOW]; // a mask: -1 in the world, 0 beyond

// Four rows of texels of mass, three rows of pressures and of momenta; the row that sends is `here`.
int over[WINDOW], here[WINDOW], under[WINDOW], next[WINDOW];
int bottom_over[WINDOW], bottom[WINDOW], bottom_under[WINDOW];
ivec2 momentum_over[WINDOW], momentum[WINDOW], momentum_under[WINDOW];
int held[WINDOW], held_under[WINDOW]; // sixteenths

// Of the row that is not yet stored: what it keeps and has got so far. What falls into it from above.
int mass_kept[STRIP_WIDTH], falling[STRIP_WIDTH];
ivec2 momentum_kept[STRIP_WIDTH], momentum_falling[STRIP_WIDTH];

// What a cell sends, and its speed.
struct Sent {
    int down;
    int up;
    int left;
    int right;
    int drawn_left;
    int drawn_right;
    ivec2 speed;
};

int row_inside(int y) { return y >= 0 && y < size.y ? -1 : 0; }

int mass_of(int texel) { return free_of_texel(texel); }
bool solid(int texel) { return is_solid_texel(texel); }

void find_columns()
{
    for (int i = 0; i < WINDOW; i++) {
        int x = origin.x + i - BESIDE;
        source[i] = inside_world(ivec2(x, 0), size).x;
        inside[i] = x >= 0 && x < size.x ? -1 : 0;
    }
}

int source_row(int y) { return inside_world(ivec2(0, y), size).y; }

void load_row(int y)
{
    int from = source_row(y), row = row_inside(y);
    for (int i = 0; i < WINDOW; i++) {
        int texel = load_mass_texel(ivec2(source[i], from));
        int within = inside[i] & row;
        if (EDGES == EDGES_CLOSED)
            texel = within != 0 ? texel : SOLID_BIT;
        if (EDGES == EDGES_OPEN)
            texel &= within;
        next[i] = texel;
    }
}

void shift_up()
{
    for (int i = 0; i < WINDOW; i++) {
        over[i] = here[i];
        here[i] = under[i];
        under[i] = next[i];
        bottom_over[i] = bottom[i];
        bottom[i] = bottom_under[i];
        momentum_over[i] = momentum[i];
        momentum[i] = momentum_under[i];
        held[i] = held_under[i];
    }
}

int top_of(int mass) { return min(max(mass - FULL, 0), 1 << 25) >> 1; }
int weight_of(int mass) { return (min(mass, FULL) >> 4) * ACCELERATION >> 16; }
int held_by(int texel) { return solid(texel) ? 16 : clamp((mass_of(texel) - 3 * FULL / 4) >> 14, 0, 16); }

int with_sign(int magnitude, int sign) { return sign < 0 ? -magnitude : magnitude; }
int half_of(int number) { return (number + (number < 0 ? 1 : 0)) >> 1; }

// The quotient of a magnitude below 2**23 and a mass, in 2**-14, rounded down. A float quotient of less than
// 2**14 is off by one at most, on every device, and the remainder corrects it.
int speed_of(int magnitude, int mass)
{
    int quotient = int(float(magnitude) * float(1 << SPEED_ONE) / float(mass));
    int rest = (magnitude << SPEED_ONE) - quotient * mass;
    return quotient + (rest >= mass ? 1 : 0) - (rest < 0 ? 1 : 0);
}

// Drag, friction and walls.
int slowed(int number, int mass, int held, bool wall_back, bool wall_ahead)
{
    int magnitude = abs(number), slow = min(magnitude, mass >> 3);
    magnitude = max(magnitude - ((slow >> 5) * (held * DRAG) >> 11) - (held > 0 ? FRICTION : 0), 0);
    return magnitude >> ((wall_back && number < 0) || (wall_ahead && number > 0) ? 1 : 0);
}

// Compute pressure and momentum of the row `under`, row y of the world. `here` is the row above it, `next` the one
// below.
void push_row(int y)
{
    for (int i = 0; i < WINDOW; i++) {
        int mass = mass_of(under[i]);
        held_under[i] = held_by(next[i]);
        bottom_under[i] = top_of(mass) + (weight_of(mass) * held_under[i] >> 4);
    }
    int from = source_row(y);
    for (int i = 1; i < WINDOW - 1; i++) {
        int mass = mass_of(under[i]), top = top_of(mass), base = bottom_under[i];
        bvec4 wall = bvec4(solid(under[i - 1]), solid(under[i + 1]), solid(here[i]), solid(next[i]));
        ivec2 force;
        force.x = half_of((wall.x ? base : bottom_under[i - 1]) - (wall.y ? base : bottom_under[i + 1]));
        force.y = (wall.z ? top : (top + bottom[i]) >> 1) - (wall.w ? base : (base + top_of(mass_of(next[i]))) >> 1) +
            weight_of(mass);
        ivec2 codes = momentum_of(load_motion(ivec2(source[i], from)));
        ivec2 number = clamp(ivec2(decoded(codes.x), decoded(codes.y)) + force, -LARGEST, LARGEST);
        int fastest = (mass >> 4) * (mass > FULL && held_under[i] > 0 ? FASTEST_IN_WATER : FASTEST_IN_AIR);
        ivec2 magnitude = min(ivec2(slowed(number.x, mass, held_under[i], wall.x, wall.y),
                                    slowed(number.y, mass, held_under[i], wall.z, wall.w)),
                              fastest);
        int excess = (max(magnitude.x + magnitude.y - (mass >> 4) * FASTEST_SUM, 0) + 1) >> 1;
        bool still = mass <= DRY;
        magnitude = max(magnitude - excess, 0);
        momentum_under[i] =
            still ? ivec2(0) : ivec2(with_sign(magnitude.x, number.x), with_sign(magnitude.y, number.y));
    }
}

// The flow through the face between a cell and its neighbour, toward the neighbour. `push` is the pressure of the cell
// less that of the neighbour.
int through(int mass, int there, int own, int other, int push)
{
    bool alike = (mass > SHARES && there > SHARES) || mass == there;
    int mean = alike ? half_of(own + other) : mass > there ? own : other;
    return mean + with_sign(abs(push) * EVENING >> 4, push);
}

int allowed(int flow, int texel, int neighbour)
{
    return solid(texel) || solid(neighbour) ? 0 : min(flow, (MASS_LIMIT - mass_of(neighbour)) >> 2);
}

// The momentum that a flow takes along.
int carried(int flow, int speed)
{
    return with_sign((min(flow, CARRIED_MOST) >> 6) * abs(speed) >> (SPEED_ONE - 6), speed);
}

// Whether a cell is the first of a stream, or the last, by the masses behind and ahead of it.
bool leads(int behind, int ahead) { return behind > FOLLOWS && ahead <= DRY; }
bool lags(int mass, int behind, int ahead) { return behind <= FOLLOWS && ahead >= max(mass, FOLLOWS); }

// What the first cell of a stream sends on: what comes once it holds as much as the cell behind it.
int filled(int mass, int behind, int speed)
{
    int like = min(behind, FULL);
    return max(carried(like, speed) - max(like - mass, 0), 0);
}

// What flows from column i to column j beside it, and what the fuller cell there draws. `back` is the other side.
ivec2 aside(int i, int j, int back, int speed, int sign)
{
    int mass = mass_of(here[i]), there = mass_of(here[j]);
    int own = sign * momentum[i].x, fast = max(sign * speed, 0) << (MASS_BITS - SPEED_ONE);
    int flow = through(mass, there, own, sign * momentum[j].x, bottom[i] - bottom[j]);
    bool lies = held[i] >= 8, in_air = !lies && held[j] < 8;
    flow = in_air && own > 0 && flow > 0 ? own : flow;
    int behind = mass_of(here[back]);
    int flying = leads(behind, there) ? filled(mass, behind, max(sign * speed, 0))
        : lags(mass, behind, there)   ? min(mass, fast)
                                      : flow;
    int sent = flow > 0 ? (lies ? flow : flying) : 0;
    bool near = in_air && mass < THIN && there > 2 * mass && there < FULL;
    int drawn = near ? min(mass, FULL - there) >> 3 : 0;
    return ivec2(allowed(sent, here[i], here[j]), allowed(drawn, here[i], here[j]));
}

int downward(int i, int speed)
{
    int mass = mass_of(here[i]), there = mass_of(under[i]), own = momentum[i].y;
    int flow = through(mass, there, own, momentum_under[i].y, bottom[i] - top_of(there));
    flow = there < FULL ? max(flow, own) : flow;
    int fast = max(speed, 0) << (MASS_BITS - SPEED_ONE);
    int behind = mass_of(over[i]);
    int flying = leads(behind, there)           ? filled(mass, behind, max(speed, 0))
        : lags(mass, behind, there) && fast > 0 ? min(mass, max(fast, flow))
                                                : flow;
    int sent = flow > 0 ? flying : 0;
    return allowed(held[i] == 0 && mass <= DRY ? mass : sent, here[i], under[i]);
}

int upward(int i, int speed)
{
    int mass = mass_of(here[i]), there = mass_of(over[i]), other = momentum_over[i].y;
    int flow = -through(mass, there, -momentum[i].y, -other, top_of(mass) - bottom_over[i]);
    flow = mass < FULL ? max(flow, other) : flow;
    int fast = max(-speed, 0) << (MASS_BITS - SPEED_ONE);
    bool followed = solid(under[i]) || mass_of(under[i]) > FOLLOWS;
    int rest = followed ? max(fast - (FULL - mass), 0) : min(mass, fast);
    int sent = mass >= FULL ? -flow : rest;
    return allowed(flow < 0 ? max(sent, 0) : 0, here[i], over[i]);
}

// The quotient of two masses below 2**29, in 2**-14, rounded down.
uint share_wanted(int mass, int wanted)
{
    int quotient = int(float(mass) * float(1 << SPEED_ONE) / float(wanted));
    int rest = (mass << SPEED_ONE) - quotient * wanted;
    return uint(quotient + (rest >= wanted ? 1 : 0) - (rest < 0 ? 1 : 0));
}

// A share, in 2**-14, of an amount.
int share_of(int amount, uint share)
{
    uint high, low;
    umulExtended(uint(amount), share << (32 - SPEED_ONE), high, low);
    return int(high);
}

int total(Sent sent) { return sent.down + sent.up + sent.left + sent.right + sent.drawn_left + sent.drawn_right; }

// What column i of the row `here` sends. If it has less than it would send, all parts are scaled alike.
Sent sent_by(int i)
{
    int mass = mass_of(here[i]);
    Sent sent;
    ivec2 magnitude = abs(momentum[i]);
    sent.speed.x = with_sign(speed_of(magnitude.x, max(mass, 1)), momentum[i].x);
    sent.speed.y = with_sign(speed_of(magnitude.y, max(mass, 1)), momentum[i].y);
    ivec2 right = aside(i, i + 1, i - 1, sent.speed.x, 1), left = aside(i, i - 1, i + 1, sent.speed.x, -1);
    sent.right = right.x;
    sent.drawn_right = right.y;
    sent.left = left.x;
    sent.drawn_left = left.y;
    sent.down = downward(i, sent.speed.y);
    sent.up = upward(i, sent.speed.y);
    int wanted = total(sent);
    if (wanted > mass) {
        uint share = share_wanted(mass >> 2, (wanted >> 2) + 1);
        sent.down = share_of(sent.down, share);
        sent.up = share_of(sent.up, share);
        sent.left = share_of(sent.left, share);
        sent.right = share_of(sent.right, share);
        sent.drawn_left = share_of(sent.drawn_left, share);
        sent.drawn_right = share_of(sent.drawn_right, share);
    }
    return sent;
}

// The same along both axes.
ivec2 carried(int flow, ivec2 speed) { return ivec2(carried(flow, speed.x), carried(flow, speed.y)); }

int pulled(int drawn) { return drawn * TENSION >> SPEED_ONE; }

// The part of what column i sends that crosses the edge of the world.
int leaving(int i, int y, Sent sent)
{
    return ((sent.left + sent.drawn_left) & ~inside[i - 1]) + ((sent.right + sent.drawn_right) & ~inside[i + 1]) +
        (sent.up & ~row_inside(y - 1)) + (sent.down & ~row_inside(y + 1));
}

// Store the row above `here`, of which everything is known now that this row sends. Returns whether anything changed.
bool store_row(ivec2 cell, int k, Sent below)
{
    int texel = over[k + BESIDE], mass = mass_kept[k] + below.up;
    ivec2 number = clamp(momentum_kept[k] + carried(below.up, below.speed), -LARGEST, LARGEST);
    ivec2 codes = solid(texel) || mass <= DRY ? ivec2(0) : ivec2(encoded(number.x), encoded(number.y));
    uint word = motion_word(codes);
    store_mass_texel(cell, solid(texel) ? texel : mass);
    store_motion(cell, word);
    return word != load_motion(cell) || (!solid(texel) && texel != mass);
}

void report(ivec2 strip, uvec2 moved_units, uvec2 left_units, bool changes)
{
    if (changes || moved_units != uvec2(0)) {
        mark_active(tick);
        note_latest(tick);
        note_cell(CHANGED, strip * ivec2(STRIP_WIDTH, STRIP_HEIGHT), size, tick);
    }
    if (substep > 0u)
        moved_units = add64(moved_units, load_moved(strip));
    store_moved(strip, moved_units);
    if (EDGES == EDGES_OPEN && left_units != uvec2(0))
        count_left(left_units, tick);
}

void main()
{
    ivec2 strip = owned_strip();
    origin = strip * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    if (origin.x >= size.x || origin.y >= size.y)
        return;
    find_columns();
    uvec2 moved_units = uvec2(0), left_units = uvec2(0);
    bool changes = false;
    for (int i = 0; i < WINDOW; i++) {
        over[i] = here[i] = under[i] = SOLID_BIT;
        bottom[i] = bottom_under[i] = held_under[i] = 0;
        momentum[i] = momentum_under[i] = ivec2(0);
    }
    load_row(origin.y - 3);
    for (int row = -4; row <= STRIP_HEIGHT; row++) {
        int y = origin.y + row;
        shift_up();
        load_row(y + 2);
        push_row(y + 1);
        if (row < -1)
            continue;
        int counted = row >= 0 && row < STRIP_HEIGHT ? row_inside(y) : 0;
        Sent before = sent_by(BESIDE - 1), sent = sent_by(BESIDE);
        for (int k = 0; k < STRIP_WIDTH; k++) {
            int i = k + BESIDE;
            Sent after = sent_by(i + 1);
            if (row > 0 && y <= size.y && inside[i] != 0)
                changes = store_row(ivec2(origin.x + k, y - 1), k, sent) || changes;
            int units = total(sent);
            int from_left = before.right + before.drawn_right, from_right = after.left + after.drawn_left;
            mass_kept[k] = here[i] - units + from_left + from_right + falling[k];
            momentum_kept[k] = momentum[i] - carried(units, sent.speed) + carried(from_left, before.speed) +
                carried(from_right, after.speed) + momentum_falling[k];
            momentum_kept[k].x += pulled(before.drawn_right) - pulled(after.drawn_left);
            falling[k] = sent.down;
            momentum_falling[k] = carried(sent.down, sent.speed);
            moved_units = add64(moved_units, uvec2(units & inside[i] & counted, 0));
            if (EDGES == EDGES_OPEN)
                left_units = add64(left_units, uvec2(leaving(i, y, sent) & inside[i] & counted, 0));
            before = sent;
            sent = after;
        }
    }
    report(strip, moved_units, left_units, changes);
}
