"""`Domain`: the place of a world's cells in the whole world of which they may be a piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, cast

from gpufluid.core.errors import WorldError, shown
from gpufluid.core.frame import frame_size, piece_in_frame
from gpufluid.matter.ports import is_whole

WHOLE_LIMIT = 1 << 30
"""Longest side of a whole world in cells: coordinates and their sums stay within signed 32 bits in every frame."""


@dataclass(frozen=True, slots=True)
class Domain:
    """The rectangle of the whole world that a world's arrays hold.

    All chance is drawn by the position in the whole world, and every pattern (blocks, rows, segments, triples) is
    aligned to it. So a piece computes what the same cells would do in the whole world, behind walls.

    Args:
        origin: (column, row) of the top left cell of the piece in the whole world.
        size: (width, height) of the piece in cells.
        whole_size: (width, height) of the whole world in cells.
    Raises: WorldError: not two whole numbers, a size out of range, a piece that reaches outside the whole world.
    """

    origin: tuple[int, int]
    size: tuple[int, int]
    whole_size: tuple[int, int]

    def __post_init__(self) -> None:
        for name, low in (("origin", 0), ("size", 1), ("whole_size", 1)):
            object.__setattr__(self, name, _checked_pair(f"domain.{name}", getattr(self, name), low))
        (x, y), (width, height), (columns, rows) = self.origin, self.size, self.whole_size
        if x + width > columns or y + height > rows:
            reach = f"columns {x} to {x + width - 1}, rows {y} to {y + height - 1}"
            raise WorldError("domain", f"{reach} reach outside the whole world of {columns} by {rows} cells")

    @classmethod
    def whole(cls, width: int, height: int) -> Self:
        """The domain of a world that is no piece of another; width and height in cells."""
        return cls((0, 0), (width, height), (width, height))

    @property
    def is_whole(self) -> bool:
        """Whether the piece is the whole world."""
        return self.size == self.whole_size

    def frame_origin(self, gravity: str) -> tuple[int, int]:
        """(column, row), in gravity's frame of the whole world, of the piece's first cell in that frame."""
        return piece_in_frame(self.origin, self.size, self.whole_size, gravity)

    def columns_before(self, gravity: str, side: int) -> int:
        """Columns of the whole world's frame before the piece, counted from the left (side 1) or the right (-1)."""
        first = self.frame_origin(gravity)[0]
        own, whole = (frame_size(*size, gravity)[0] for size in (self.size, self.whole_size))
        return first if side > 0 else whole - own - first


def check_domain(domain: object, width: int, height: int, edges: str) -> None:
    """Raise WorldError unless it is the domain of a world of that size in cells with these edges."""
    if not isinstance(domain, Domain):
        raise WorldError("domain", f"{shown(domain)}; expected gpufluid.Domain(origin, size, whole_size)")
    if domain.size != (width, height):
        raise WorldError("domain", f"its size is {domain.size}; expected the world's own, {(width, height)}")
    if not domain.is_whole and edges != "closed":
        columns, rows = domain.whole_size
        reason = f"{width} by {height} cells of a whole world of {columns} by {rows} are walled off"
        raise WorldError("edges", f"{edges!r}: {reason}; expected 'closed'")


def _checked_pair(name: str, pair: object, low: int) -> tuple[int, int]:
    numbers = list(cast("Sequence[int]", pair)) if isinstance(pair, Sequence) and not isinstance(pair, str) else []
    if len(numbers) != 2 or not all(is_whole(each) and low <= each <= WHOLE_LIMIT for each in numbers):
        raise WorldError(name, f"{shown(pair)}; expected two whole numbers from {low} to {WHOLE_LIMIT}")
    return int(numbers[0]), int(numbers[1])
