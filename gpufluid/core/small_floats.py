"""Whole numbers in 16 bits as small floats: a sign, 5 bits of exponent, 10 of fraction. Twin: lib/small_float.glsl.

Numbers below 2048 are exact. Larger ones are rounded toward zero, by less than a part in 1,024; so the opposite of a
number has the opposite code, and a round trip changes nothing more.
"""

from __future__ import annotations

import numpy as np

FRACTION_BITS = 10

LARGEST = (1 << 23) - 1
"""The largest size of a number that has a code."""

LARGEST_CODE = (24 << FRACTION_BITS) - 1
"""The code of `LARGEST`."""

_DROPPED = 23 - FRACTION_BITS  # of the bits of a float32
_BIAS = 126 << FRACTION_BITS  # 1 has exponent 1; so code 0 is number 0


def encoded(numbers: np.ndarray) -> np.ndarray:
    """The codes of whole numbers.

    Args:
        numbers: integers of any shape and any integer type, from -`LARGEST` to `LARGEST`.
    Returns: int16 of that shape.
    """
    bits = np.abs(numbers).astype(np.float32).view(np.int32)  # exact: below 2**24
    size = np.maximum((bits >> _DROPPED) - _BIAS, 0)
    return np.where(numbers < 0, -size, size).astype(np.int16)


def decoded(codes: np.ndarray) -> np.ndarray:
    """The numbers of codes. Of the codes of a number below 2048 it is that number; of codes 1 to 1023 it is 0.

    Args:
        codes: int16 of any shape, from -`LARGEST_CODE` to `LARGEST_CODE`.
    Returns: int64 of that shape.
    """
    wide = codes.astype(np.int32)
    size = ((np.abs(wide) + _BIAS) << _DROPPED).view(np.float32).astype(np.int64)
    return np.where(wide < 0, -size, size)
