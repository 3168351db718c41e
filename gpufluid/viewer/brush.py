"""Which cells a stroke touches. Places are (column, row) and may lie outside the world; what is returned does not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpufluid.core.hashing import pcg4d

SHAPES = ("round", "square", "spray")

SIZE_MOST = 512
"""Cells across a brush, at most."""

_SPRAYED = 1 / 8
"""The share of a round brush's cells that a spray touches at a time."""


@dataclass(frozen=True, slots=True)
class Patch:
    """Some cells of a world.

    Args:
        left, top: of the smallest rectangle around them.
        mask: (height, width) bool, which cells of it.
    """

    left: int
    top: int
    mask: np.ndarray

    @property
    def window(self) -> tuple[slice, slice]:
        """The rectangle as (rows, columns)."""
        height, width = self.mask.shape
        return slice(self.top, self.top + height), slice(self.left, self.left + width)


def stroke(
    shape: str, size: int, start: tuple[int, int], end: tuple[int, int], world: tuple[int, int], serial: int = 0
) -> Patch | None:
    """What a brush touches that is drawn from one cell to another, both included; None outside the world.

    Args:
        shape: one of `SHAPES`.
        size: cells across; a round brush of an even number has one more.
        world: (width, height) in cells.
        serial: of a spray, which draws other cells each time.
    """
    reach = size / 2
    corners = (min(start[0], end[0]) - reach, min(start[1], end[1]) - reach)
    far = (max(start[0], end[0]) + reach, max(start[1], end[1]) + reach)
    left, top = (max(int(np.floor(edge)), 0) for edge in corners)
    right, bottom = (min(int(np.ceil(edge)) + 1, side) for edge, side in zip(far, world, strict=True))
    if left >= right or top >= bottom:
        return None
    x, y = np.arange(left, right)[None, :], np.arange(top, bottom)[:, None]
    mask = _square(x, y, reach, start, end) if shape == "square" else _round(x, y, reach, start, end)
    if shape == "spray":
        drawn = pcg4d(x, y, serial, 0x5B2A7)[0]
        mask &= drawn < np.uint32(int(_SPRAYED * 2**32))
    return Patch(left, top, mask)


def rectangle(start: tuple[int, int], end: tuple[int, int], world: tuple[int, int]) -> Patch | None:
    """All cells between two corners, both included; None outside the world."""
    left, top = (max(min(a, b), 0) for a, b in zip(start, end, strict=True))
    right, bottom = (min(max(a, b) + 1, side) for a, b, side in zip(start, end, world, strict=True))
    if left >= right or top >= bottom:
        return None
    return Patch(left, top, np.full((bottom - top, right - left), True))


def area(same: np.ndarray, at: tuple[int, int]) -> Patch:
    """The cells joined to one, side by side, through cells that are marked as being the same.

    Args:
        same: (height, width) bool.
        at: (column, row); it is marked.
    Source: the scan-line fill of Smith 1979, "Tint fill": runs of a row wait on a stack for those above and below.
    """
    free = same.copy()
    found = np.zeros_like(same)
    waiting = [at]
    while waiting:
        column, row = waiting.pop()
        if not free[row, column]:
            continue
        first, last = _run(free[row], column)
        free[row, first:last] = False
        found[row, first:last] = True
        for beside in (row - 1, row + 1):
            if 0 <= beside < len(same):
                starts = np.flatnonzero(np.diff(free[beside, first:last].astype(np.int8), prepend=0) == 1)
                waiting += [(int(start) + first, beside) for start in starts]
    rows, columns = (np.flatnonzero(found.any(axis=axis)) for axis in (1, 0))
    window = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    return Patch(int(columns[0]), int(rows[0]), found[window])


def _run(row: np.ndarray, column: int) -> tuple[int, int]:
    """The first marked cell of a run, and the one after its last."""
    before, after = np.flatnonzero(~row[:column]), np.flatnonzero(~row[column:])
    return (int(before[-1]) + 1 if len(before) else 0), (column + int(after[0]) if len(after) else len(row))


def _round(x: np.ndarray, y: np.ndarray, reach: float, start: tuple[int, int], end: tuple[int, int]) -> np.ndarray:
    """Within half the size of the line between the two cells' middles."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = max(across**2 + down**2, 1)
    along = np.clip(((x - start[0]) * across + (y - start[1]) * down) / length, 0, 1)
    apart = (x - start[0] - along * across) ** 2 + (y - start[1] - along * down) ** 2
    return apart <= max(reach, 0.71) ** 2  # the thinnest line still joins its cells


def _square(x: np.ndarray, y: np.ndarray, reach: float, start: tuple[int, int], end: tuple[int, int]) -> np.ndarray:
    """Stamped at every cell of the line."""
    mask, size = np.zeros((y.size, x.size), bool), round(2 * reach)
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    for step in range(steps + 1):
        column, row = (round(a + (b - a) * step / steps) for a, b in zip(start, end, strict=True))
        left, top = column - int(reach) - int(x[0, 0]), row - int(reach) - int(y[0, 0])
        mask[max(top, 0) : max(top + size, 0), max(left, 0) : max(left + size, 0)] = True
    return mask
