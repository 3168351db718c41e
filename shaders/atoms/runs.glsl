// Runs of a column that pass each other, shared by weigh and sink. A *run* is a stack of touching atoms of one powder
// or fluid. Two runs pass each other where denser matter lies on a less dense fluid, or a fluid on a less dense powder.
// One of the two moves, and the cells that it passes come out behind it. Twin: oracle/atoms/sinking.py.
#include "generated/ledger.glsl"
#include "atoms/cells.glsl"
#include "generated/strip.glsl"
#include "lib/motion.glsl"

const int STRIP = max(STRIP_WIDTH, STRIP_HEIGHT); // rows of a column that one invocation owns

// The column and the number of the strip that this invocation owns; beyond the world for an invocation without cells.
ivec2 strip_index();

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

// Test if two cells belong to one run.
bool is_same_run(Weight one, Weight other) { return one.state >= STATE_POWDER && one.material == other.material; }

// Test if the matter in a cell and that in the cell below pass each other. Matter that falls is left alone: what falls
// together falls at the same speed.
bool pass_each_other(Weight upper, Weight lower)
{
    bool mobile = upper.state >= STATE_POWDER && lower.state >= STATE_POWDER;
    return mobile && (is_fluid(upper) || is_fluid(lower)) && upper.density > lower.density && lower.speed <= 0;
}

// The speed, in 1/16 cell a tick, at which a body of one density moves through a fluid: a part of `most` that grows
// with the difference of the densities and falls with the resistance of the fluid.
int drift(int most, Weight dense, Weight light, int fluid)
{
    int part = most * (dense.density - light.density) / dense.density;
    return max(part * (256 - resistance_of(fluid)) >> 8, 1);
}

// The speed of the upper run of so many cells through the lower one. A powder keeps the speed with which it came and
// loses it by the resistance of the fluid, the longer the run the slower, down to the speed at which it sinks. Two
// liquids creep.
int sinking_speed(Weight upper, Weight lower, int cells)
{
    bool creeps = is_fluid(upper) && lower.state == STATE_LIQUID;
    int terminal = terminal_of(upper.material);
    int steady = drift(creeps ? terminal * LIQUID_DRIFT : terminal, upper, lower, lower.material);
    int excess = upper.speed - steady;
    int loss = 1 + (max(excess, 0) * resistance_of(lower.material) >> 8) / cells;
    int speed = excess > 0 ? max(upper.speed - loss, steady) : max(upper.speed, 1);
    return creeps ? min(steady, SPEED_LIMIT) : speed;
}

// The speed of the lower run up through the upper one.
int rising_speed(Weight upper, Weight lower)
{
    int most = is_powder(lower) ? POWDER_RISE : terminal_of(lower.material);
    bool creeps = lower.state == STATE_LIQUID;
    return min(drift(creeps ? most * LIQUID_DRIFT : most, upper, lower, upper.material), SPEED_LIMIT);
}
