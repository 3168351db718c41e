// The distance that an atom moves in a tick, from its velocity alone. Twin: oracle/atoms/motion.py.
// Law: over any number of ticks the steps add up to the distance of constant acceleration, or of constant speed, to
// within one cell. Velocities are in 1/16 cell a tick (seed 004, footnote 12), pulls in 1/16 cell a tick a tick.
#include "generated/atoms.glsl"

// The motion of an atom in this tick, in the positive direction of one axis.
struct Motion {
    bool moves; // false: the atom does not move in this direction and is an obstacle
    int speed;  // the new speed
    int wish;   // cells that the atom would move without obstacles
};

// The step in a tick at constant speed; over 16 ticks the steps add up to `speed` cells.
int steady_step(int speed, uint tick)
{
    int phase = int(tick & 15u);
    return ((phase + 1) * speed >> 4) - (phase * speed >> 4);
}

// 1 plus the distance, in whole cells, in which a pull accelerates an atom from rest to a speed: v(v + a) / 2a. The
// quotient is computed as a product with 2**32 / 32a, rounded up: exact for all speeds, and several times as fast.
int travelled(int speed, int pull, uint reciprocal)
{
    uint high, low;
    umulExtended(uint(speed * (speed + pull) + 32 * pull), reciprocal, high, low);
    return int(high);
}

// The step in the tick in which a pull accelerates an atom to a speed; negative if the atom moves against the pull.
int ballistic_step(int speed, int pull, uint reciprocal)
{
    return travelled(speed, pull, reciprocal) - travelled(speed - pull, pull, reciprocal);
}

// Compute the motion along one axis, with a pull, against a pull, or without a pull. An atom at rest above a hole falls
// one cell at once, so that a hole closes in the tick in which it opens.
Motion motion_along(int speed, int pull, uint reciprocal, int terminal, uint tick)
{
    int faster = speed < terminal ? min(speed + pull, terminal) : max(speed - pull, terminal);
    bool turns = pull > 0 && speed < 0 && faster == 0; // only atoms at rest have speed 0 (settle moves those)
    int reached = turns ? (pull > 1 ? -1 : 1) : pull > 0 ? faster : speed;
    int step = ballistic_step(pull > 0 ? reached : -speed, abs(pull), reciprocal);
    bool steady = pull == 0 || (pull > 0 && reached == terminal);
    int wish = steady ? steady_step(max(reached, 0), tick) : max(pull > 0 ? step : -step, 0);
    wish = pull > 0 && speed == 0 && terminal > 0 ? max(wish, 1) : wish;
    return Motion(pull > 0 ? reached >= 0 : speed > 0, reached, wish);
}
