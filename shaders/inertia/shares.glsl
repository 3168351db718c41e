// Momentum as it is stored, and shares of masses and momenta.
#include "generated/cell.glsl"
#include "generated/inertia.glsl"
#include "lib/small_float.glsl"

int with_sign(int magnitude, int sign) { return sign < 0 ? -magnitude : magnitude; }

ivec2 loaded_momentum(uint word)
{
    ivec2 codes = momentum_of(word);
    return ivec2(decoded(codes.x), decoded(codes.y));
}

// The word of a momentum. Cells with almost no mass have none.
uint stored_momentum(ivec2 momentum, int mass)
{
    ivec2 number = clamp(momentum, -LARGEST, LARGEST);
    return motion_word(mass <= DRY ? ivec2(0) : ivec2(encoded(number.x), encoded(number.y)));
}

// The quotient of two masses below 2**29, in 2**-SPEED_BITS, rounded down.
int share_wanted(int mass, int wanted)
{
    int quotient = int(float(mass) * float(1 << SPEED_BITS) / float(wanted));
    int rest = (mass << SPEED_BITS) - quotient * wanted;
    return quotient + (rest >= wanted ? 1 : 0) - (rest < 0 ? 1 : 0);
}

// A share, in 2**-SPEED_BITS, of a flow, rounded toward zero; in two parts, each of which has 32 bits.
int scaled(int flow, int share)
{
    int amount = abs(flow);
    return with_sign((amount >> SPEED_BITS) * share + ((amount & ((1 << SPEED_BITS) - 1)) * share >> SPEED_BITS), flow);
}
