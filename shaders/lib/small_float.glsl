// Whole numbers in 16 bits as small floats: a sign, 5 bits of exponent, 10 of fraction. Conversions between int and
// float are exact below 2**24. Twin: gpufluid/core/small_floats.py.

const int DROPPED = 13;     // of the bits of a float's fraction
const int BIAS = 126 << 10; // 1 has exponent 1; so code 0 is number 0

int encoded(int number)
{
    int code = max((floatBitsToInt(float(abs(number))) >> DROPPED) - BIAS, 0);
    return number < 0 ? -code : code;
}

int decoded(int code)
{
    int number = int(intBitsToFloat((abs(code) + BIAS) << DROPPED));
    return code < 0 ? -number : number;
}
