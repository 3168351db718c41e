// Runs of a column that pass each other, shared by weigh and sink. A *run* is a stack of touching atoms of one powder
// or fluid. Two runs pass each other where denser matter lies on a less dense fluid, or a fluid on a less dense powder.
// One of the two moves, and the cells that it passes come out behind it. Twin: oracle/atoms/columns.py.
#include "generated/ledger.glsl"
#include "atoms/cells.glsl"
#include "generated/strip.glsl"
#include "lib/motion.glsl"

const int STRIP = max(STRIP_WIDTH, STRIP_HEIGHT); // rows of a column that one invocation owns

// The properties of a cell that decide how two runs pass each other.
struct Weight {
    int material;
    int state;
    int density;
    int speed;
};

Weight weight_of(Atom atom)
{
    return Weight(atom.material, state_of(atom.material), density_of(atom.material), atom.velocity.y);
}

Weight weight_at(ivec2 at) { return weight_of(atom_around(at)); }

bool is_powder(Weight weight) { return weight.state == STATE_POWDER; }
bool is_fluid(Weight weight) { return weight.state >= STATE_LIQUID; }

bool is_amount(Weight weight) { return is_amount(weight.material); }

// Test if two cells belong to one run. Water by mass is one fluid, however full its cells are.
bool is_same_run(Weight one, Weight other)
{
    bool alike = one.material == other.material || (is_amount(one) && is_amount(other));
    return one.state >= STATE_POWDER && alike;
}

// The cells of the run that ends with a row of a strip, counted upwards, as far as they lie in the strip. `begins` has
// a bit for each row of the strip with which a run begins.
int cells_up(uint begins, int row) { return row + 1 - max(findMSB(begins & (2u << row) - 1u), 0); }

// The cells of the run that begins with the row below a row of a strip of so many rows, as far as they lie in the
// strip; at least 1.
int cells_down(uint begins, int row, int rows)
{
    int next = findLSB(row < 30 ? begins & 0xFFFFFFFCu << row : 0u);
    return max((next < 0 ? rows : next) - row - 1, 1);
}

// Test if the matter in a cell and the matter in the cell below pass each other. They do not if the lower one falls:
// two atoms that fall together have the same speed. Rule flow moves water by mass within itself.
bool pass_each_other(Weight upper, Weight lower)
{
    bool mobile = upper.state >= STATE_POWDER && lower.state >= STATE_POWDER && !(is_amount(upper) && is_amount(lower));
    return mobile && (is_fluid(upper) || is_fluid(lower)) && upper.density > lower.density && lower.speed <= 0;
}

// Water by mass is one run, but its cells differ in density. Only the cells next to the other run pass it, up to the
// first that is not denser than it, or not less dense: else a film of water on water would go up and down through oil
// for ever.
#ifdef SEES_AMOUNTS
// The number of cells of the water that ends at a place, before the first that is not denser than what lies below the
// water; at most `most`.
int denser_above(ivec2 at, int most, Weight lower)
{
    int cells = lower.density < density_of(FIRST_AMOUNT) ? most : 1;
    while (cells < most && weight_at(at - ivec2(0, cells)).density > lower.density)
        cells++;
    return cells;
}

// The number of cells of the water that begins below a place, before the first that is not less dense than what lies
// over the water; at most `most`.
int lighter_below(ivec2 at, int most, Weight upper)
{
    int cells = upper.density > density_of(FIRST_AMOUNT + DENSITY_STEPS - 1) ? most : 1;
    while (cells < most && weight_at(at + ivec2(0, 1 + cells)).density < upper.density)
        cells++;
    return cells;
}
#else
int denser_above(ivec2 at, int most, Weight lower) { return most; }
int lighter_below(ivec2 at, int most, Weight upper) { return most; }
#endif

// Test for a fluid that lies on a liquid; the two move without a speed.
bool creeps(Weight upper, Weight lower) { return is_fluid(upper) && lower.state == STATE_LIQUID; }

// The steady speed at which the upper run sinks through the lower one, or the lower run rises through the upper one, in
// 1/16 cell a tick. It is a fraction of the terminal speed of the run that moves, or of POWDER_RISE if this is a rising
// powder. The fraction grows with the difference of the densities and falls with the resistance of the fluid.
int steady_speed(bool down, Weight upper, Weight lower)
{
    int body = down ? upper.material : lower.material, fluid = down ? lower.material : upper.material;
    int terminal = is_powder(lower) ? POWDER_RISE : terminal_of(body);
    int most = creeps(upper, lower) ? terminal * LIQUID_DRIFT : terminal;
    int part = most * (upper.density - lower.density) / upper.density;
    return max(part * (256 - resistance_of(fluid)) >> 8, 1);
}

// The speed that a powder loses in a tick at an excess over the steady speed.
int lost_speed(int excess, Weight fluid, int cells)
{
    return 1 + (excess * resistance_of(fluid.material) >> 8) / cells;
}

// Test if a powder keeps its speed in water by mass: there inertia.push takes it, and hands it to the water.
bool keeps_speed(Weight lower)
{
#ifdef KEEPS_MOMENTUM
    return is_amount(lower);
#else
    return false;
#endif
}

// The speed at which two runs pass each other, in 1/16 cell a tick. `cells` is the length of the run. A powder that
// enters a fluid at a higher speed is slowed to the steady speed by the resistance of the fluid, a long run less than a
// short one.
int passing_speed(bool down, Weight upper, Weight lower, int cells)
{
    int steady = steady_speed(down, upper, lower), excess = upper.speed - steady;
    int loss = lost_speed(max(excess, 0), down ? lower : upper, cells);
    int slower = keeps_speed(lower) ? upper.speed : max(upper.speed - loss, steady);
    int speed = excess > 0 ? slower : max(upper.speed, 1);
    return down && !creeps(upper, lower) ? speed : min(steady, SPEED_LIMIT);
}
