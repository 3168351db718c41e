// Rule flow: what one cell sends to its neighbours. Twin of oracle/flow.py.
// Law: seed 000, simulate_compression() and get_stable_state_b(), in units of mass.
#include "generated/cell.glsl"
#include "generated/flow.glsl"

struct Outflow {
    int down;
    int left;
    int right;
    int up;
};

// What the lower of two cells holds at rest, if both together hold `total`.
int stable_below(int total)
{
    if (total <= MAX_MASS)
        return MAX_MASS;
    if (total >= 2 * MAX_MASS + MAX_COMPRESS)
        return (total + MAX_COMPRESS) >> 1;
    uint high, low;
    umulExtended(uint(total - MAX_MASS), STABLE_RATIO, high, low);
    return MAX_MASS + int(high);
}

// A wished flow, damped, and bounded by what is there and by a quarter of the receiver's room:
// four neighbours together cannot overfill it. A solid receiver gets nothing.
int bounded(int wished, int most, int receiver)
{
    if (receiver == SOLID)
        return 0;
    int damped = wished > MIN_FLOW ? wished >> 1 : wished;
    return clamp(damped, 0, min(most, (MASS_LIMIT - receiver) >> 2));
}

// What a side that holds less is given.
int side_flow(int mass, int side, int rest)
{
    return bounded(int(uint(max(mass - side, 0)) / uint(SIDE_DIVISOR)), rest, side);
}

// The side served first: 0 left, 1 right.
int first_side(uint tick, uint substep)
{
    return SIDE_ORDER == SIDE_ORDER_ALTERNATE ? int((tick + substep) & 1u) : SIDE_ORDER;
}

// Order: down, the sides, up, each from what the earlier ones leave.
Outflow outflow(int mass, int below, int left, int right, int above, int coin)
{
    int rest = max(mass, 0);
    int down = bounded(stable_below(rest + below) - below, min(MAX_SPEED, rest), below);
    rest -= down;
    int first = side_flow(mass, coin == 0 ? left : right, rest);
    rest -= first;
    int second = side_flow(mass, coin == 0 ? right : left, rest);
    rest -= second;
    int up = bounded(rest - stable_below(rest + above), min(MAX_SPEED, rest), above);
    return coin == 0 ? Outflow(down, first, second, up) : Outflow(down, second, first, up);
}
