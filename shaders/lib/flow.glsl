// The outflow of a cell by rule flow. Law: seed 000, simulate_compression() and get_stable_state_b(), in units of mass.
// Twin: oracle/flow.py.
#include "generated/cell.glsl"
#include "generated/flow.glsl"
#include "generated/gravity.glsl"

// The mass that a cell sends down, to the side served first, to the other side, and up.
struct Outflow {
    int down;
    int first;
    int second;
    int up;
};

int total(Outflow sent) { return sent.down + sent.first + sent.second + sent.up; }

// The side served first: 0 left, 1 right.
int first_side(uint tick, uint substep)
{
    return SIDE_ORDER == SIDE_ORDER_ALTERNATE ? int((tick + substep) & 1u) : SIDE_ORDER;
}

// The mass of a neighbour as the sender reads it. A solid neighbour reads as full and accepts no inflow. One operation,
// because with SOLID_BIT a texel is larger than MASS_LIMIT as an unsigned number.
int receiver_of_texel(int texel) { return int(min(uint(texel), uint(MASS_LIMIT))); }

// The mass that the lower of two cells holds at rest, if both hold `total` together; a full cell if they hold less.
int stable_below(int total)
{
    uint high, low;
    umulExtended(uint(max(total - MAX_MASS, 0)), STABLE_RATIO, high, low);
    return total >= 2 * MAX_MASS + MAX_COMPRESS ? (total + MAX_COMPRESS) >> 1 : MAX_MASS + int(high);
}

// Damp a wished flow, and limit it to the mass at hand and to a quarter of the receiver's room, so that four neighbours
// together cannot overfill the receiver. The result is negative only if the wish is.
int bounded(int wished, int most, int receiver)
{
    int damped = wished > MIN_FLOW ? wished >> 1 : wished;
    return min(damped, min(most, (MASS_LIMIT - receiver) >> 2));
}

// The flow to a neighbour in a world without gravity: only the mass above a full cell flows, to all four sides alike.
// The divisor is twice that of a flow aside, because there are four receivers and not two.
int flow_without_weight(int mass, int other)
{
    int wished = max(mass - MAX_MASS, 0) - max(other - MAX_MASS, 0);
    return bounded(int(uint(max(wished, 0)) / uint(2 * SIDE_DIVISOR)), mass >> 2, other);
}

int flow_down(int rest, int below)
{
    if (GRAVITY == GRAVITY_OFF)
        return flow_without_weight(rest, below);
    return max(bounded(stable_below(rest + below) - below, min(MAX_SPEED, rest), below), 0);
}

int flow_up(int rest, int above)
{
    return max(bounded(rest - stable_below(rest + above), min(MAX_SPEED, rest), above), 0);
}

// The flow to a side that holds less mass.
int flow_aside(int mass, int side, int rest)
{
    return bounded(int(uint(max(mass - side, 0)) / uint(SIDE_DIVISOR)), rest, side);
}

// Compute the outflow: down, to the sides and up, in this order, each limited by the mass still left; without gravity
// to all four sides alike. All arguments are texels, and directions are those of gravity's frame.
Outflow outflow(int texel, int below, int first, int second, int above)
{
    int mass = free_of_texel(texel);
    Outflow sent;
    if (GRAVITY == GRAVITY_OFF) {
        sent.down = flow_without_weight(mass, receiver_of_texel(below));
        sent.first = flow_without_weight(mass, receiver_of_texel(first));
        sent.second = flow_without_weight(mass, receiver_of_texel(second));
        sent.up = flow_without_weight(mass, receiver_of_texel(above));
        return sent;
    }
    sent.down = flow_down(mass, receiver_of_texel(below));
    int rest = mass - sent.down;
    sent.first = flow_aside(mass, receiver_of_texel(first), rest);
    rest -= sent.first;
    sent.second = flow_aside(mass, receiver_of_texel(second), rest);
    sent.up = flow_up(rest - sent.second, receiver_of_texel(above));
    return sent;
}
