// How far an atom moves in a tick, from its velocity alone. Twin: oracle/atoms/motion.py.
// Law: over any number of ticks the steps add up to the distance of constant acceleration, or of constant speed, to
// within one cell. Velocities are in 1/16 cell a tick (seed 004, footnote 12), pulls in 1/16 cell a tick a tick.
#include "generated/atoms.glsl"

// What an atom does along one axis, in the positive direction, in this tick.
struct Motion {
    bool moves; // whether it goes that way at all; if not, it is in the way
    int speed;  // what its speed becomes
    int wish;   // cells that it would move if nothing were in the way
};

// Cells in a tick at constant speed: the ticks share out what 16 of them amount to.
int steady_step(int speed, uint tick)
{
    int phase = int(tick & 15u);
    return ((phase + 1) * speed >> 4) - (phase * speed >> 4);
}

// Whole cells, and one, that lie behind an atom that a pull brought from rest to this speed: v(v + a) / 2a. A product
// with 2**32 / 32a stands for the quotient; rounded up it is exact for all speeds there are, and several times as fast.
int travelled(int speed, int pull, uint reciprocal)
{
    uint high, low;
    umulExtended(uint(speed * (speed + pull) + 32 * pull), reciprocal, high, low);
    return int(high);
}

// Cells in the tick in which a pull brought an atom to this speed; negative while it still goes the other way.
int ballistic_step(int speed, int pull, uint reciprocal)
{
    return travelled(speed, pull, reciprocal) - travelled(speed - pull, pull, reciprocal);
}

// Motion along an axis on which `pull` acts: with it, against it, or without any.
// What lies at rest over a hole falls one cell at once, so that a hole closes in the tick in which it opens.
Motion motion_along(int speed, int pull, uint reciprocal, int terminal, uint tick)
{
    int faster = speed < terminal ? min(speed + pull, terminal) : max(speed - pull, terminal);
    bool turns = pull > 0 && speed < 0 && faster == 0; // only what lies still has no speed (settle moves that)
    int reached = turns ? (pull > 1 ? -1 : 1) : pull > 0 ? faster : speed;
    int step = ballistic_step(pull > 0 ? reached : -speed, abs(pull), reciprocal);
    bool steady = pull == 0 || (pull > 0 && reached == terminal);
    int wish = steady ? steady_step(max(reached, 0), tick) : max(pull > 0 ? step : -step, 0);
    wish = pull > 0 && speed == 0 && terminal > 0 ? max(wish, 1) : wish;
    return Motion(pull > 0 ? reached >= 0 : speed > 0, reached, wish);
}
