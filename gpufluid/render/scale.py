"""How large a world is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from gpufluid.errors import UsageError


@dataclass(frozen=True, slots=True)
class Scale:
    """A cell covers `zoom` by `zoom` pixels, or a pixel averages `cells_a_pixel` by `cells_a_pixel` cells."""

    zoom: int = 1
    cells_a_pixel: int = 1

    @classmethod
    def of(cls, pixels_a_cell: float) -> Self:
        """From pixels a cell: a whole number up to 64, or one over a whole number up to 64.

        Raises: UsageError: any other number.
        """
        if 1 <= pixels_a_cell <= 64 and pixels_a_cell == int(pixels_a_cell):
            return cls(zoom=int(pixels_a_cell))
        inverse = round(1 / pixels_a_cell) if pixels_a_cell > 0 else 0
        if 1 < inverse <= 64 and abs(pixels_a_cell * inverse - 1) < 0.01:
            return cls(cells_a_pixel=inverse)
        raise UsageError(f"scale: {pixels_a_cell:g}; expected 1 to 64 pixels a cell, or 1/2, 1/3, ... 1/64")

    def picture_size(self, width: int, height: int) -> tuple[int, int]:
        """The picture's (width, height) in pixels for a world of so many cells."""
        return tuple(-(-cells * self.zoom // self.cells_a_pixel) for cells in (width, height))  # pyright: ignore[reportReturnType]
