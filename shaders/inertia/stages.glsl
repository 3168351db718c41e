// The stages of a row of water, from the old masses and momenta to what flows; shared by move and share_heat.
//
// Each invocation slides a window of rows down its strip. A row passes three stages, each one row behind the one
// before: the pressure of a cell needs the cell below; its momentum after the forces needs the pressures around; what
// it sends needs the momenta around. So each stage is computed about once a cell. Between two cells water flows one way
// only, so a flow is computed once for both of them.
//
// All lanes of software OpenGL run through both sides of a branch, so this code selects and does not branch. Only
// arrays with constant indices are registers, so the columns of a row are written out and not a loop.
#include "generated/images.glsl"
#include "generated/inertia.glsl"
#include "generated/strip.glsl"
#include "generated/tick.glsl"
#include "flow/tile_strips.glsl"
#include "inertia/shares.glsl"
#include "lib/domain.glsl"
#include "lib/edges.glsl"
#include "lib/frame.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// The window has STRIP_REACH = 3 more columns than the strip on each side: of the first and the last the pressure is
// needed, of the next the momentum, and of those beside the strip what they send. Columns are counted from the strip's
// first, so the window begins with column -3.
const int WINDOW = STRIP_WIDTH + 2 * STRIP_REACH;

const int FIRST_ROW = -4; // counted from the strip's first row: so many rows before it are in the window

const bool WEIGHTLESS = GRAVITY == GRAVITY_OFF;

ivec2 origin;
int source[WINDOW];      // the x of the place inside the world that is read for a column
int inside[WINDOW];      // a mask: -1 in the world, 0 beyond
int under_row, next_row; // the y of the row inside the world that is read for a row
int next_inside;         // a mask, as `inside`

// Four rows; the row that sends is `here`.
int over[WINDOW], here[WINDOW], under[WINDOW], next[WINDOW]; // texels of mass
int bottom[WINDOW], bottom_under[WINDOW];                    // pressures
int held[WINDOW], held_under[WINDOW];                        // sixteenths
ivec2 momentum[WINDOW], momentum_under[WINDOW];
ivec2 speed_over[WINDOW], speed[WINDOW], speed_under[WINDOW];
uint word_over[WINDOW], word[WINDOW], word_under[WINDOW]; // momentum as it is stored

// Flows of mass: to the right from a column of `here`, down from a cell of `over` or `here`. Negative: the other way.
int aside[WINDOW], fall_over[WINDOW], fall[WINDOW];
ivec2 aside_carries[WINDOW];
int drawn[WINDOW];                     // the part of `aside` that a fuller cell draws
int share_over[WINDOW], share[WINDOW]; // what a cell can send of what it would, in 2**-SPEED_BITS

int own_row;      // a mask: -1 if `here` is a row of the strip that is counted
int own_face;     // a mask: -1 if the strip counts what flows between `over` and `here`
int own_store;    // a mask: -1 if `over` is a row of the strip, which is stored
int over_row;     // the y of the row `over`
int face_outside; // a mask: -1 if the edge of the world lies between `over` and `here`

// Test if column k is in the strip or at most so many columns beside it.
bool is_near(int k, int beside) { return k >= -beside && k < STRIP_WIDTH + beside; }

int mass_of(int texel) { return free_of_texel(texel); }
bool solid(int texel) { return is_solid_texel(texel); }

#include "inertia/texels.glsl"

void find_column(int k)
{
    ivec2 frame = frame_size(size);
    int x = origin.x + k;
    source[k + STRIP_REACH] = inside_world(ivec2(x, 0), frame).x;
    inside[k + STRIP_REACH] = x >= 0 && x < frame.x ? -1 : 0;
}

// The including file defines these. `skip` stores column k of row y of a strip in which nothing can flow. `begin`
// prepares column k before the first row. `finish` stores column k of the row `over`, whose flows are all known once
// `here` sends. `report` runs after the last row of a strip.
void skip(int k, int y);
void begin(int k);
void finish(int k);
void report(ivec2 strip);
#ifdef FETCH_AHEAD
void fetch_strip();
#endif

void clear(int k)
{
    int i = k + STRIP_REACH;
    here[i] = under[i] = SOLID_BIT;
    bottom_under[i] = held_under[i] = fall[i] = 0;
    momentum_under[i] = speed[i] = speed_under[i] = ivec2(0);
    word[i] = word_under[i] = 0u;
    share[i] = 0;
    begin(k);
}

// Go on to row y of the world.
void find_next_row(int y)
{
    under_row = next_row;
    next_row = inside_world(ivec2(0, y), frame_size(size)).y;
    next_inside = row_inside(y);
}

// Read column k of the row `next`, and the momentum of the row above it, which is now `under`.
void load(int k)
{
    int i = k + STRIP_REACH, within = inside[i] & next_inside;
    load_texels(k, to_world(ivec2(source[i], under_row), size), to_world(ivec2(source[i], next_row), size));
    if (EDGES == EDGES_CLOSED)
        next[i] = within != 0 ? next[i] : SOLID_BIT;
    if (EDGES == EDGES_OPEN)
        next[i] &= within;
}

void shift_up(int k)
{
    int i = k + STRIP_REACH;
    over[i] = here[i];
    here[i] = under[i];
    under[i] = next[i];
    bottom[i] = bottom_under[i];
    held[i] = held_under[i];
    momentum[i] = momentum_under[i];
    speed_over[i] = speed[i];
    speed[i] = speed_under[i];
    word_over[i] = word[i];
    word[i] = word_under[i];
    fall_over[i] = fall[i];
    share_over[i] = share[i];
}

int top_of(int mass) { return min(max(mass - FULL, 0), 1 << 25) >> 1; }
int weight_of(int mass) { return WEIGHTLESS ? 0 : (min(mass, FULL) >> 4) * ACCELERATION >> 16; }
int pressed(int mass) { return clamp((mass - FULL) >> PRESSED_BITS, 0, 16); }
int held_by(int texel) { return solid(texel) ? 16 : clamp((mass_of(texel) - HOLDS) >> 14, 0, 16); }

// A part of a number in 2**-bits, rounded toward zero.
int part_of(int number, int bits) { return (number + ((number >> 31) & ((1 << bits) - 1))) >> bits; }

// The quotient of a magnitude below 2**23 and a mass, in 2**-SPEED_BITS, rounded down; `inverse` is about
// 2**SPEED_BITS / mass. A product of floats below 2**14 is off by one at most, on every device, and the remainder
// corrects it.
int speed_of(int magnitude, int mass, float inverse)
{
    int quotient = int(float(magnitude) * inverse);
    int rest = (magnitude << SPEED_BITS) - quotient * mass;
    return quotient + (rest >= mass ? 1 : 0) - (rest < 0 ? 1 : 0);
}

// The magnitude of a momentum after drag, friction and walls.
int slowed(int number, int force, int mass, int held, bool wall_back, bool wall_ahead)
{
    int magnitude = abs(number), drag = held * (with_sign(force, number) < 0 ? DRAG : DRAG_ALONG);
    magnitude = max(magnitude - ((min(magnitude, mass >> 3) >> 5) * drag >> 11) - (held > 0 ? FRICTION : 0), 0);
    return magnitude >> ((wall_back && number < 0) || (wall_ahead && number > 0) ? 1 : 0);
}

// Compute the pressures of column k of the row `under`.
void find_pressure(int k)
{
    int i = k + STRIP_REACH, mass = mass_of(under[i]);
    held_under[i] = held_by(next[i]);
    bottom_under[i] = top_of(mass) + (weight_of(mass) * held_under[i] >> 4);
}

// A momentum after a force that only slows it down.
int braked(int number, int force) { return with_sign(max(abs(number) + min(with_sign(force, number), 0), 0), number); }

// Compute momentum and speed of column k of the row `under` after the forces.
void apply_forces(int k)
{
    int i = k + STRIP_REACH, mass = mass_of(under[i]), top = top_of(mass), base = bottom_under[i];
    bvec4 wall = bvec4(solid(under[i - 1]), solid(under[i + 1]), solid(here[i]), solid(next[i]));
    ivec2 force;
    force.x = part_of((wall.x ? base : bottom_under[i - 1]) - (wall.y ? base : bottom_under[i + 1]), 1);
    force.y = (wall.z ? top : (top + bottom[i]) >> 1) - (wall.w ? base : (base + top_of(mass_of(next[i]))) >> 1) +
        weight_of(mass);
    ivec2 number = turned_to_frame(loaded_momentum(word_under[i]));
    if (WEIGHTLESS) {
        force.y = part_of((wall.z ? base : bottom[i]) - (wall.w ? base : top_of(mass_of(next[i]))), 1);
        number = ivec2(braked(number.x, force.x), braked(number.y, force.y));
        held_under[i] = any(wall) ? 16 : pressed(mass);
    } else
        number = clamp(number + force, -LARGEST, LARGEST);
    bool slows = mass > FULL && held_under[i] > 0;
    bool dense = WEIGHTLESS || mass_of(number.x < 0 ? under[i - 1] : under[i + 1]) > FULL + DENSE;
    ivec2 fastest = (mass >> 4) *
        ivec2(slows && dense ? FASTEST_IN_WATER : FASTEST_IN_AIR, slows ? FASTEST_IN_WATER : FASTEST_IN_AIR);
    ivec2 magnitude = min(ivec2(slowed(number.x, force.x, mass, held_under[i], wall.x, wall.y),
                                slowed(number.y, force.y, mass, held_under[i], wall.z, wall.w)),
                          fastest);
    int excess = (max(magnitude.x + magnitude.y - (mass >> 4) * FASTEST_SUM, 0) + 1) >> 1;
    magnitude = mass <= DRY ? ivec2(0) : max(magnitude - excess, 0);
    momentum_under[i] = ivec2(with_sign(magnitude.x, number.x), with_sign(magnitude.y, number.y));
    float inverse = float(1 << SPEED_BITS) / float(max(mass, 1));
    speed_under[i] = ivec2(with_sign(speed_of(magnitude.x, max(mass, 1), inverse), number.x),
                           with_sign(speed_of(magnitude.y, max(mass, 1), inverse), number.y));
}

// The flow through the face between a cell and its neighbour, toward the neighbour. `push` is the pressure of the cell
// less that of the neighbour.
int through(int mass, int there, int own, int other, int push)
{
    bool alike = min(mass, there) > SHARES || mass == there;
    int mean = alike ? part_of(own + other, 1) : mass > there ? own : other;
    return mean + part_of(push * EVENING, 4);
}

// Test if the cell in column i of `here` lies on something and is not solid. It may be empty; then its values are 0.
bool lies(int i) { return held[i] >= 8 && !solid(here[i]); }

// Limit a flow to a quarter of the receiver's room, so that four neighbours together cannot overfill it.
int allowed(int flow, int there) { return min(flow, (MASS_LIMIT - there) >> 2); }

// The momentum that a flow takes along.
int carried(int flow, int speed)
{
    return part_of(part_of(clamp(flow, -CARRIED_MOST, CARRIED_MOST), 6) * speed, SPEED_BITS - 6);
}
ivec2 carried(int flow, ivec2 speed) { return ivec2(carried(flow, speed.x), carried(flow, speed.y)); }

// The mass that a full cell sends at a speed.
int full_flow(int speed) { return speed << (MASS_BITS - SPEED_BITS); }

// Test if a cell is the first of a stream, or the last, by the masses behind and ahead of it.
bool leads(int behind, int ahead) { return behind > FOLLOWS && ahead <= DRY; }
bool lags(int mass, int behind, int ahead) { return behind <= FOLLOWS && ahead >= max(mass, FOLLOWS); }

// The flow from the first cell of a stream: it keeps its water until it holds as much as the cell behind it.
int filled(int mass, int behind, int speed)
{
    int like = min(behind, FULL);
    return max(((like >> 6) * speed >> (SPEED_BITS - 6)) - max(like - mass, 0), 0);
}

// The flow between two neighbours in a line that weight does not drive; negative: back to the first.
//
// texels: of the cell before the first, of both, and of the cell beyond the second. numbers: the momenta of both along
// the line. fast: their speeds. holds: how much they are held, in sixteenths. push: the pressure of the first less that
// of the second.
int flow_between(ivec4 texels, ivec2 numbers, ivec2 fast, ivec2 holds, int push)
{
    int left = mass_of(texels.y), right = mass_of(texels.z);
    bool in_air = max(holds.x, holds.y) < 8, open = (texels.y | texels.z) >= 0;
    int flow = through(left, right, numbers.x, numbers.y, push);
    bool back = flow < 0;
    int mass = back ? right : left, there = back ? left : right;
    int own = back ? -numbers.y : numbers.x;
    int ahead = max(back ? -fast.y : fast.x, 0);
    int behind = mass_of(back ? texels.w : texels.x);
    int sent = in_air && own > 0 ? own : abs(flow);
    int flying = leads(behind, there) ? filled(mass, behind, ahead)
        : lags(mass, behind, there)   ? min(mass, full_flow(ahead))
                                      : sent;
    sent = (back ? holds.y : holds.x) >= 8 ? sent : flying;
    sent = open && flow != 0 ? allowed(sent, there) : 0;
    return back ? -sent : sent;
}

// The flow from a thin cell in the air at the side of a stream to its neighbour, which is fuller and draws it;
// negative: to the first of two neighbours. A thin cell within a stream gives nothing, else the stream would split into
// strings.
//
// texels: of the cell before the first, of both, and of the cell beyond the second. holds: how much both are held.
int flow_drawn(ivec4 texels, ivec2 holds)
{
    int left = mass_of(texels.y), right = mass_of(texels.z), thin = min(left, right), thick = max(left, right);
    int behind = mass_of(right < left ? texels.w : texels.x);
    bool in_air = max(holds.x, holds.y) < 8, open = (texels.y | texels.z) >= 0;
    bool draws = in_air && open && thin < THIN && thick > 2 * thin && thick < FULL && 2 * behind <= thin;
    int given = draws ? min(thin, FULL - thick) >> 3 : 0;
    return right < left ? -given : given;
}

// The flow from column i of `here` to the next that smooths a surface of partly full cells. It goes with the third
// difference of four masses, which is large where masses alternate and nearly 0 in a wave. A cell counts as full at
// most; one that is solid or in the air counts as its neighbour.
int smoothing_flow(int i)
{
    int left = mass_of(here[i]), right = mass_of(here[i + 1]);
    int before = lies(i - 1) ? min(mass_of(here[i - 1]), FULL) : left;
    int beyond = lies(i + 2) ? min(mass_of(here[i + 2]), FULL) : right;
    int third = 3 * (left - right) - (before - beyond);
    bool partly = max(left, right) < FULL && min(left, right) > DRY;
    int flow = with_sign(max(abs(third) - SMOOTH, 0) >> SMOOTHING_BITS, third);
    return partly && lies(i) && lies(i + 1) ? flow : 0;
}

// Compute what flows to the right from column k of `here`.
void flow_aside(int k)
{
    int i = k + STRIP_REACH;
    ivec2 holds = ivec2(held[i], held[i + 1]);
    ivec4 texels = ivec4(here[i - 1], here[i], here[i + 1], here[i + 2]);
    drawn[i] = WEIGHTLESS ? 0 : flow_drawn(texels, holds);
    aside[i] = drawn[i] + (WEIGHTLESS ? 0 : smoothing_flow(i)) +
        flow_between(texels, ivec2(momentum[i].x, momentum[i + 1].x), ivec2(speed[i].x, speed[i + 1].x), holds,
                     bottom[i] - bottom[i + 1]);
}

// Reduce a flow down into a fuller cell. If the cell below holds a quarter of a full cell more than the sender, three
// quarters of the flow are left, or one quarter if that cell lies on a floor. With less difference more is left.
int resisted(int flow, int mass, int there, bool floor_below)
{
    int over = clamp(there - max(mass, FULL), 0, FULL / 4);
    return flow - (flow >> 8) * (over * (floor_below ? RESISTS_ON_FLOOR : RESISTS) >> (MASS_BITS - 8));
}

// Compute what flows from column k of `here` down to `under`. Without weight down is as any side.
void flow_down(int k)
{
    int i = k + STRIP_REACH;
    if (WEIGHTLESS) {
        fall[i] = flow_between(ivec4(over[i], here[i], under[i], next[i]), ivec2(momentum[i].y, momentum_under[i].y),
                               ivec2(speed[i].y, speed_under[i].y), ivec2(held[i], held_under[i]),
                               bottom[i] - bottom_under[i]);
        return;
    }
    int mass = mass_of(here[i]), there = mass_of(under[i]), behind = mass_of(over[i]);
    int own = momentum[i].y, flow = through(mass, there, own, momentum_under[i].y, bottom[i] - top_of(there));
    flow = there < FULL ? max(flow, own) : flow;
    int fast = max(speed[i].y, 0), rising = full_flow(max(-speed_under[i].y, 0));
    int flying = leads(behind, there)           ? filled(mass, behind, fast)
        : lags(mass, behind, there) && fast > 0 ? min(mass, max(full_flow(fast), flow))
                                                : flow;
    int sent = held[i] == 0 && mass <= DRY ? mass : flow > 0 ? flying : 0;
    bool followed = solid(next[i]) || mass_of(next[i]) > FOLLOWS;
    int thrown = followed ? max(rising - (FULL - there), 0) : min(there, rising);
    int returned = flow < 0 ? allowed(there >= FULL ? -flow : thrown, mass) : 0;
    sent = resisted(sent, mass, there, solid(next[i]));
    fall[i] = (here[i] | under[i]) < 0 ? 0 : allowed(sent, there) - returned;
}

// Compute the share that column k of `here` can send. A cell that has less than it would send scales all alike.
void find_share(int k)
{
    int i = k + STRIP_REACH, mass = mass_of(here[i]);
    int wanted = max(aside[i], 0) - min(aside[i - 1], 0) + max(fall[i], 0) - min(fall_over[i], 0);
    share[i] = wanted > mass ? share_wanted(mass >> 2, (wanted >> 2) + 1) : 1 << SPEED_BITS;
}

// The momentum that the water in column i of `here` gives to the next in exchange, by third differences as
// `smoothing_flow`: forces and flows do not depend on the part of the momentum that alternates from column to column.
ivec2 smoothing_momentum(int i)
{
    ivec2 before = lies(i - 1) ? momentum[i - 1] : momentum[i];
    ivec2 beyond = lies(i + 2) ? momentum[i + 2] : momentum[i + 1];
    ivec2 third = 3 * (momentum[i] - momentum[i + 1]) - (before - beyond);
    ivec2 given = ivec2(part_of(third.x, EXCHANGE_BITS), part_of(third.y, EXCHANGE_BITS));
    return lies(i) && lies(i + 1) ? given : ivec2(0);
}

// Scale what flows to the right from column k of `here` by the share of the cell that sends it.
void scale_aside(int k)
{
    int i = k + STRIP_REACH;
    bool back = aside[i] < 0;
    aside[i] = scaled(aside[i], back ? share[i + 1] : share[i]);
    aside_carries[i] = carried(aside[i], back ? speed[i + 1] : speed[i]);
    if (!WEIGHTLESS)
        aside_carries[i] += smoothing_momentum(i);
}

// Take each stage of a row one column further. Each stage follows the one before as closely as it can, so that what
// one computes is still in a register for the next. All conditions are constant.
void advance(int k)
{
    shift_up(k);
    load(k);
    find_pressure(k);
    if (is_near(k - 1, 2))
        apply_forces(k - 1);
    if (is_near(k - 1, 1))
        flow_down(k - 1);
    if (is_near(k - 2, 2) && k - 2 <= STRIP_WIDTH)
        flow_aside(k - 2);
    if (is_near(k - 2, 1))
        find_share(k - 2);
    if (is_near(k - 3, 1) && k - 3 < STRIP_WIDTH)
        scale_aside(k - 3);
    if (is_near(k - 3, 0))
        finish(k - 3);
}

// Test if all cells are without water on which the next state of a strip depends. Where there is water, the first row
// mostly shows it.
bool has_no_water()
{
    ivec2 frame = frame_size(size);
    int found = 0, last = origin.y + STRIP_HEIGHT + 2;
    for (int y = origin.y - 3; y <= last && found == 0; y++) {
        int row = inside_world(ivec2(0, y), frame).y;
        for (int i = 0; i < WINDOW; i += LOOKED_AT)
            found |= water_at(to_world(ivec2(source[i], row), size));
    }
    return found == 0;
}

void main()
{
    ivec2 strip = owned_strip();
    origin = strip * ivec2(STRIP_WIDTH, STRIP_HEIGHT);
    ivec2 frame = frame_size(size);
    if (origin.x >= frame.x || origin.y >= frame.y)
        return;
#ifdef FETCH_AHEAD
    fetch_strip();
#endif
    FOR_COLUMNS(find_column)
    // A loop without rows costs less than a branch.
    bool skipped = has_no_water();
    int skipped_rows = skipped ? min(STRIP_HEIGHT, frame.y - origin.y) : 0;
    int last_row = skipped ? FIRST_ROW - 1 : STRIP_HEIGHT;
    for (int row = 0; row < skipped_rows; row++)
        for (int k = 0; k < STRIP_WIDTH; k++)
            skip(k, origin.y + row);
    FOR_COLUMNS(clear)
    next_row = 0;
    find_next_row(origin.y - 3);
    FOR_COLUMNS(load)
    for (int row = FIRST_ROW; row <= last_row; row++) {
        int y = origin.y + row;
        find_next_row(y + 2);
        own_row = row >= 0 && row < STRIP_HEIGHT ? row_inside(y) & own_mask(y) : 0;
        own_store = row > 0 ? row_inside(y - 1) : 0;
        own_face = row > 0 ? own_store & own_mask(y - 1) : EDGES == EDGES_OPEN && y == 0 ? own_mask(0) : 0;
        face_outside = ~(row_inside(y - 1) & row_inside(y));
        over_row = y - 1;
        FOR_COLUMNS(advance)
    }
    report(strip);
}
