"""`Domain`: the place of a world's cells in the whole world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, cast

from gpufluid.core.errors import WorldError, shown
from gpufluid.core.frame import Area, Span, area_in_world, frame_size, piece_in_frame, turned_to_world
from gpufluid.core.numeric import is_whole

WHOLE_LIMIT = 1 << 30
"""Longest side of a whole world in cells. Coordinates and their sums then fit in signed 32 bits in every frame."""


@dataclass(frozen=True, slots=True)
class Domain:
    """The rectangle of the whole world that a world's arrays hold.

    All random numbers depend on the position in the whole world, and every pattern (blocks, rows, segments, triples) is
    aligned to it. So a piece has the same result as the same cells, walled off, within the whole world.

    Args:
        origin: (column, row) of the top left cell of the piece in the whole world.
        size: (width, height) of the piece in cells.
        whole_size: (width, height) of the whole world in cells.
    Raises: WorldError: a pair that is not two whole numbers, a size out of range, or a piece outside the whole world.
    """

    origin: tuple[int, int]
    size: tuple[int, int]
    whole_size: tuple[int, int]

    def __post_init__(self) -> None:
        for name, low in (("origin", 0), ("size", 1), ("whole_size", 1)):
            least = -WHOLE_LIMIT if self.halo and name == "origin" else low
            object.__setattr__(self, name, _checked_pair(f"domain.{name}", getattr(self, name), least))
        (x, y), (width, height), (columns, rows) = self.origin, self.size, self.whole_size
        if not self.halo and (x + width > columns or y + height > rows):
            reach = f"columns {x} to {x + width - 1}, rows {y} to {y + height - 1}"
            raise WorldError("domain", f"{reach} reach outside the whole world of {columns} by {rows} cells")

    @classmethod
    def whole(cls, width: int, height: int) -> Self:
        """The domain of a world that is a whole world; width and height in cells."""
        return cls((0, 0), (width, height), (width, height))

    @property
    def is_whole(self) -> bool:
        """True if the piece is the whole world."""
        return self.size == self.whole_size

    @property
    def halo(self) -> Area | None:
        """The columns (before, after) the own cells, and the rows, of gravity's frame; None: all cells are own."""
        return None

    def turns(self, gravity: str) -> tuple[int, int]:
        """The most copies that the piece can have of a column, and of a row, of a torus: 1, unless it is a `Part`."""
        del gravity
        return 1, 1

    def own_area(self, gravity: str) -> Area:
        """The columns and the rows of gravity's frame that are the piece's own."""
        columns, rows = frame_size(*self.size, gravity)
        across, along = self.halo or ((0, 0), (0, 0))
        return (across[0], columns - across[1]), (along[0], rows - along[1])

    def own_rows(self, gravity: str) -> Span:
        """The first row of gravity's frame that is the piece's own, and the one after the last."""
        return self.own_area(gravity)[1]

    def own_cells(self, gravity: str) -> tuple[int, int, int, int]:
        """The rectangle of the piece's own cells: column and row of the top left one in the piece, width and height."""
        return area_in_world(self.own_area(gravity), self.size, gravity)

    def frame_origin(self, gravity: str) -> tuple[int, int]:
        """(column, row) of the piece's first cell in the whole world, both in gravity's frame."""
        return piece_in_frame(self.origin, self.size, self.whole_size, gravity)

    def origin_on_torus(self, gravity: str) -> tuple[int, int]:
        """The origin, moved by whole turns around a torus so that the frame of the piece begins in the whole world."""
        place, whole = self.frame_origin(gravity), frame_size(*self.whole_size, gravity)
        across, along = (first % cells - first for first, cells in zip(place, whole, strict=True))
        right, down = turned_to_world(across, along, gravity)
        return self.origin[0] + right, self.origin[1] + down

    def columns_before(self, gravity: str, side: int) -> int:
        """Columns of gravity's frame outside the piece: to the left of it (side 1) or to the right of it (side -1)."""
        first = self.frame_origin(gravity)[0]
        own, whole = (frame_size(*size, gravity)[0] for size in (self.size, self.whole_size))
        return first if side > 0 else whole - own - first


@dataclass(frozen=True, slots=True)
class Part(Domain):
    """A rectangle of a whole world that one of several simulations computes, with a halo: cells that others compute.

    Cells of the halo are copies, which what is counted leaves out. They may differ from the whole world's, from the
    outermost inward, until they are copied again. The edges are those of the whole world. On a torus a halo goes on at
    the other end, so the origin may lie outside the whole world.

    Args:
        columns_around, rows_around: the columns, and the rows, of gravity's frame of the halo, (before, after) the
            part's own cells. A part without such columns has whole rows.
    Raises: WorldError: as `Domain`.
    """

    columns_around: tuple[int, int] = (0, 0)
    rows_around: tuple[int, int] = (0, 0)

    @property
    def is_whole(self) -> bool:
        """False: a part is a piece even if it has all cells."""
        return False

    @property
    def halo(self) -> Area:
        """(before, after) the part's own cells: columns, and rows, of gravity's frame."""
        return self.columns_around, self.rows_around

    def turns(self, gravity: str) -> tuple[int, int]:
        """The most copies of a column, and of a row, of a torus: the part's halo can go around more than once."""
        sizes = zip(frame_size(*self.size, gravity), frame_size(*self.whole_size, gravity), self.halo, strict=True)
        columns, rows = (-(-own // whole) + 1 if around != (0, 0) else 1 for own, whole, around in sizes)
        return columns, rows


def check_domain(domain: object, width: int, height: int, edges: str) -> None:
    """Raise WorldError unless ``domain`` fits a world of that width and height in cells, with these edges."""
    if not isinstance(domain, Domain):
        raise WorldError("domain", f"{shown(domain)}; expected gpufluid.Domain(origin, size, whole_size)")
    if domain.size != (width, height):
        raise WorldError("domain", f"its size is {domain.size}; expected the world's own, {(width, height)}")
    if not domain.is_whole and not domain.halo and edges != "closed":
        columns, rows = domain.whole_size
        reason = f"{width} by {height} cells of a whole world of {columns} by {rows} are walled off"
        raise WorldError("edges", f"{edges!r}: {reason}; expected 'closed'")


def _checked_pair(name: str, pair: object, low: int) -> tuple[int, int]:
    numbers = list(cast("Sequence[int]", pair)) if isinstance(pair, Sequence) and not isinstance(pair, str) else []
    if len(numbers) != 2 or not all(is_whole(each, low, WHOLE_LIMIT) for each in numbers):
        raise WorldError(name, f"{shown(pair)}; expected two whole numbers from {low} to {WHOLE_LIMIT}")
    return int(numbers[0]), int(numbers[1])
