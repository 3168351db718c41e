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

// Whole cells, and one, that lie behind an atom that a pull brought from rest to this speed: v(v + a) / 2a.
int travelled(int speed, int pull) { return int(uint(speed * (speed + pull) + 32 * pull) / uint(32 * pull)); }

// Cells in the tick in which a pull brought an atom to this speed; negative while it still goes the other way.
int ballistic_step(int speed, int pull) { return travelled(speed, pull) - travelled(speed - pull, pull); }

// Motion along an axis on which `pull` acts: with it, against it, or without any.
// What lies at rest over a hole falls one cell at once, so that a hole closes in the tick in which it opens.
Motion motion_along(int speed, int pull, int terminal, uint tick)
{
    if (pull == 0)
        return Motion(speed > 0, speed, steady_step(max(speed, 0), tick));
    if (pull < 0)
        return Motion(speed > 0, speed, speed > 0 ? max(-ballistic_step(-speed, -pull), 0) : 0);
    int next = speed < terminal ? min(speed + pull, terminal) : max(speed - pull, terminal);
    if (next < 0)
        return Motion(false, next, 0);
    int wish = next == terminal ? steady_step(next, tick) : max(ballistic_step(next, pull), 0);
    return Motion(true, next, speed == 0 && terminal > 0 ? max(wish, 1) : wish);
}
