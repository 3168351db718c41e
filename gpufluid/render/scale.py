"""The scale of a picture: pixels a cell, or cells a pixel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from gpufluid.core.errors import UsageError

LARGEST = 64
"""The most pixels a cell, and the most cells a pixel on each axis."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of a picture. At least one of the two numbers is 1.

    Args:
        zoom: a cell covers `zoom` x `zoom` pixels.
        cells_a_pixel: a pixel averages `cells_a_pixel` x `cells_a_pixel` cells.
    """

    zoom: int = 1
    cells_a_pixel: int = 1

    @classmethod
    def of(cls, pixels_a_cell: float | str) -> Self:
        """Make a scale from pixels a cell: n or 1/n, as a number or as text, with n from 1 to `LARGEST`.

        Raises: UsageError: any other value.
        """
        number = _number(pixels_a_cell)
        if 1 <= number <= LARGEST and number == int(number):
            return cls(zoom=int(number))
        inverse = round(1 / number) if number > 0 else 0
        if 1 < inverse <= LARGEST and abs(number * inverse - 1) < 0.01:
            return cls(cells_a_pixel=inverse)
        raise UsageError(f"scale: {str(pixels_a_cell)[:60]}; expected 1 to 64 pixels a cell, or 1/2, 1/3, ... 1/64")

    def picture_size(self, width: int, height: int) -> tuple[int, int]:
        """Return a picture's (width, height) in pixels for a world of (width, height) cells."""
        return tuple(-(-cells * self.zoom // self.cells_a_pixel) for cells in (width, height))  # pyright: ignore[reportReturnType]


def scale_within(width: int, height: int, side: int) -> str:
    """The largest scale, 8 at most, at which the picture of a world fits in a square; as for `Simulation.frame`.

    Args:
        width, height: of the world, in cells.
        side: of the square, in pixels. A world of more than `LARGEST` times as many cells a side does not fit.
    """
    longest = max(width, height)
    if longest > side:
        return f"1/{min(math.ceil(longest / side), LARGEST)}"
    return str(min(side // longest, 8))


def _number(pixels_a_cell: float | str) -> float:
    """Convert a number, or text such as ``4`` or ``1/2``, to a float; NaN for anything else."""
    try:
        numerator, slash, denominator = str(pixels_a_cell).partition("/")
        return float(numerator) / float(denominator) if slash else float(numerator)
    except (ValueError, ZeroDivisionError):
        return math.nan
