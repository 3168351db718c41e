"""Checks of numbers that users give. A bool is not a number, and NaN is in no range.

The *plain* checks accept numbers of Python only, not of NumPy: JSON cannot hold the others.
"""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import TypeGuard


def is_whole(value: object, low: float = -math.inf, high: float = math.inf) -> TypeGuard[int]:
    """True if a value is an integer of Python or NumPy from ``low`` to ``high``, both included."""
    return isinstance(value, Integral) and not isinstance(value, bool) and low <= int(value) <= high


def is_number(value: object, low: float = -math.inf, high: float = math.inf) -> TypeGuard[float]:
    """True if a value is a real number of Python or NumPy from ``low`` to ``high``, both included."""
    is_real = isinstance(value, Real) and not isinstance(value, bool)
    return is_real and bool(low <= value <= high)  # pyright: ignore[reportOperatorIssue]


def is_plain_whole(value: object, low: float, high: float) -> TypeGuard[int]:
    """True if a value is an int from ``low`` to ``high``, both included."""
    return isinstance(value, int) and is_whole(value, low, high)


def is_plain_number(value: object, low: float, high: float) -> TypeGuard[float]:
    """True if a value is an int or a float from ``low`` to ``high``, both included."""
    return isinstance(value, int | float) and is_number(value, low, high)
