// 64-bit sums in two words, the low word first: a world can hold more units than 32 bits count.

uvec2 add64(uvec2 a, uvec2 b)
{
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

// Extend a signed number to 64 bits.
uvec2 wide(int number) { return uvec2(number, number >> 31); }
