// The heat that water by mass, or a mixture, takes along. Law: a part of the mass takes the same part of the heat,
// rounded; all of the mass takes all of the heat. Twin: gpufluid/core/heat_shares.py.
#include "generated/cell.glsl"

const int RATE_BITS = 14;
const int WARMED_MOST = 16 * FULL;          // units: what is added to a cell beyond this at once is as warm as the air
const uint FASTEST_RATE = 64u << RATE_BITS; // of cells with almost no mass, in which rounding has left some heat

// The heat of a unit of mass, in 2**-RATE_BITS, rounded down. Its quotient is below 2**20, so the product of floats is
// off by one at most, on every device, and the remainder corrects it.
uint heat_rate(int heat, int mass)
{
    uint amount = uint(abs(heat));
    if (amount >> 6 >= uint(mass))
        return FASTEST_RATE;
    int quotient = int(float(amount) * float(1 << RATE_BITS) / float(mass));
    int rest = int((amount << RATE_BITS) - uint(quotient) * uint(mass));
    return uint(quotient + (rest >= mass ? 1 : 0) - (rest < 0 ? 1 : 0));
}

// The heat that goes along with `part` of the mass of a cell.
int heat_along(int heat, int mass, int part)
{
    if (part == mass)
        return heat;
    uint high, low, carry;
    umulExtended(uint(part), heat_rate(heat, mass), high, low);
    low = uaddCarry(low, 1u << (RATE_BITS - 1), carry);
    int amount = int(min((high + carry) << (32 - RATE_BITS) | low >> RATE_BITS, uint(abs(heat))));
    return heat < 0 ? -amount : amount;
}

// The part of some heat for which a cell with the heat `there` has room, if no other cell sends heat to it.
int heat_received(int along, int there)
{
    int room = max(WATER_HEAT_MOST - abs(there), 0);
    return clamp(along, -room, room);
}

// Limit heat to a quarter of the receiver's room, so that four neighbours together cannot exceed it.
int heat_allowed(int heat, int there)
{
    int room = max(WATER_HEAT_MOST - abs(there), 0) >> 2;
    return clamp(heat, -room, room);
}

// The heat of a cell that gets new mass, of which a full cell has the heat `full`, a multiple of WATER_HEAT_ONE. Beyond
// WATER_HEAT_MOST a cell gets no more heat.
int heat_with_new(int heat, int added, int full)
{
    int warmer = full / WATER_HEAT_ONE, mass = min(added, WARMED_MOST);
    int more = (mass >> 10) * warmer + ((mass & 1023) * warmer >> 10);
    return clamp(heat + more, min(heat, -WATER_HEAT_MOST), max(heat, WATER_HEAT_MOST));
}
