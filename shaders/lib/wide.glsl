// 64-bit sums in two words, the low word first: a world can hold more units than 32 bits count.

uvec2 add64(uvec2 a, uvec2 b)
{
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

// Extend a signed number to 64 bits.
uvec2 wide(int number) { return uvec2(number, number >> 31); }

// Add a 64-bit number to two words of a storage buffer, the first of them at index LOW. Exactly one addition sees each
// overflow, so the sum does not depend on their order. A macro, because GLSL passes no buffer by reference.
#define ATOMIC_ADD64(WORDS, LOW, ADDED)                                                                                \
    {                                                                                                                  \
        uvec2 term = ADDED;                                                                                            \
        uint before = atomicAdd(WORDS[LOW], term.x);                                                                   \
        uint high = term.y + (before + term.x < before ? 1u : 0u);                                                     \
        if (high != 0u)                                                                                                \
            atomicAdd(WORDS[LOW + 1], high);                                                                           \
    }
