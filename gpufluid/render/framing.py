"""The part of a world that a picture shows, and where in the picture it lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from gpufluid.core.errors import UsageError, shown
from gpufluid.render.scale import Scale

Cells = tuple[int, int, int, int]
"""A rectangle of cells: the first column and row, and the column and row after the last."""

Pixels = tuple[int, int, int, int]
"""A rectangle of pixels: the first column and row, and the column and row after the last."""


@dataclass(frozen=True, slots=True)
class Crop:
    """A rectangle of cells of which a picture is drawn.

    Args:
        x, y: column and row of the top left cell.
        width, height: in cells.
    """

    x: int
    y: int
    width: int
    height: int

    @classmethod
    def of(cls, given: object, world: tuple[int, int]) -> Self:
        """Make a crop of a world.

        Args:
            given: four whole numbers: column and row of the top left cell, width and height; None: the whole world.
            world: its (width, height), in cells.
        Raises: UsageError: anything else, or a rectangle that is not inside the world.
        """
        if given is None:
            return cls(0, 0, *world)
        if not isinstance(given, Sequence) or len(given) != 4 or not all(is_whole(number) for number in given):
            raise UsageError(f"crop: {shown(given)}; expected x, y, width and height in cells, such as (20, 0, 64, 48)")
        crop = cls(*(int(number) for number in given))
        inside = crop.x >= 0 and crop.y >= 0 and crop.x + crop.width <= world[0] and crop.y + crop.height <= world[1]
        if crop.width < 1 or crop.height < 1 or not inside:
            raise UsageError(f"crop: {crop}; expected cells inside the world of {world[0]}x{world[1]} cells")
        return crop

    def __str__(self) -> str:
        return f"{self.x},{self.y},{self.width}x{self.height}"


def is_whole(number: object) -> bool:
    """True for a whole number, an int or one of NumPy's; False for a bool."""
    return hasattr(number, "__index__") and not isinstance(number, bool)


@dataclass(frozen=True, slots=True)
class Framing:
    """The placement of a part of a world in a picture.

    Args:
        scale: the scale of the picture.
        part: the cells that are drawn.
        offset: (x, y) of the top left corner of these cells in the picture, in pixels.
    """

    scale: Scale
    part: Crop
    offset: tuple[int, int] = (0, 0)

    def cells(self, pixels: Pixels) -> Cells:
        """The cells that a rectangle of pixels shows; the last are not after the first if it shows none."""
        (left, top, right, bottom), (x, y) = pixels, self.offset
        across = self._cells(left - x, right - x, self.part.width)
        down = self._cells(top - y, bottom - y, self.part.height)
        return self.part.x + across[0], self.part.y + down[0], self.part.x + across[1], self.part.y + down[1]

    def within(self, pixels: Pixels) -> Framing:
        """The framing of the same cells in the picture that a rectangle of pixels of this one is."""
        return Framing(self.scale, self.part, (self.offset[0] - pixels[0], self.offset[1] - pixels[1]))

    def _cells(self, first: int, end: int, most: int) -> tuple[int, int]:
        """(first, end) of the cells that pixels show along an axis on which the part has ``most`` cells."""
        zoom, cells = self.scale.zoom, self.scale.cells_a_pixel
        return min(max(first * cells // zoom, 0), most), min(max(-(-end * cells // zoom), 0), most)
