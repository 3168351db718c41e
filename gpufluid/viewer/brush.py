"""The cells of a brush stroke, a rectangle or a flood fill.

Arguments are cells (column, row), which may lie outside the world; the returned patches are clipped to the world.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpufluid.core.hashing import pcg4d

SHAPES = ("round", "square", "spray")

SIZE_MOST = 512
"""Largest brush width, in cells."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A set of cells: a rectangle of the world, and a mask of the cells in it.

    Args:
        left, top: first column and row of the rectangle.
        mask: (height, width) bool, True for the cells of the set.
    """

    left: int
    top: int
    mask: np.ndarray

    @property
    def window(self) -> tuple[slice, slice]:
        """The rectangle as slices (rows, columns) of a world array."""
        height, width = self.mask.shape
        return slice(self.top, self.top + height), slice(self.left, self.left + width)


def stroke(
    shape: str,
    size: int,
    start: tuple[int, int],
    end: tuple[int, int],
    world: tuple[int, int],
    serial: int = 0,
    share: float = 1.0,
) -> Patch | None:
    """The cells that a brush touches from one cell to another, both included; None if all lie outside the world.

    Args:
        shape: one of `SHAPES`; a spray is round.
        size: brush width in cells; a round brush of even size is one cell wider.
        start, end: (column, row) of the stroke's ends.
        world: (width, height) in cells.
        serial: number of the stroke; other cells are drawn for each number.
        share: the chance of each cell to be touched, 0 to 1.
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
    if share < 1:
        drawn = pcg4d(x, y, serial, 0x5B2A7)[0]
        mask &= drawn < np.uint32(int(share * 2**32))
    return Patch(left, top, mask)


def rectangle(start: tuple[int, int], end: tuple[int, int], world: tuple[int, int]) -> Patch | None:
    """The rectangle between two corner cells, both included; None if it lies outside the world."""
    left, top = (max(min(a, b), 0) for a, b in zip(start, end, strict=True))
    right, bottom = (min(max(a, b) + 1, side) for a, b, side in zip(start, end, world, strict=True))
    if left >= right or top >= bottom:
        return None
    return Patch(left, top, np.full((bottom - top, right - left), True))


def flood_fill(same: np.ndarray, at: tuple[int, int]) -> Patch:
    """The 4-connected component of marked cells that contains a given cell.

    Args:
        same: (height, width) bool, True for marked cells.
        at: (column, row) of a marked cell.
    Source: the scan-line fill of Smith 1979, "Tint fill", with a stack of runs still to be visited.
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
    """(first column, last column + 1) of the run of marked cells around a column; `row` is (width,) bool."""
    before, after = np.flatnonzero(~row[:column]), np.flatnonzero(~row[column:])
    return (int(before[-1]) + 1 if len(before) else 0), (column + int(after[0]) if len(after) else len(row))


def _round(x: np.ndarray, y: np.ndarray, reach: float, start: tuple[int, int], end: tuple[int, int]) -> np.ndarray:
    """Cells at most `reach` from the line between the middles of two cells."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = max(across**2 + down**2, 1)
    along = np.clip(((x - start[0]) * across + (y - start[1]) * down) / length, 0, 1)
    apart = (x - start[0] - along * across) ** 2 + (y - start[1] - along * down) ** 2
    return (
        apart <= max(reach, 0.71) ** 2
    )  # at least 0.71 (half a cell's diagonal), so that the thinnest line is connected


def _square(x: np.ndarray, y: np.ndarray, reach: float, start: tuple[int, int], end: tuple[int, int]) -> np.ndarray:
    """The union of the squares around all cells of the line."""
    mask, size = np.zeros((y.size, x.size), bool), round(2 * reach)
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    for step in range(steps + 1):
        column, row = (round(a + (b - a) * step / steps) for a, b in zip(start, end, strict=True))
        left, top = column - int(reach) - int(x[0, 0]), row - int(reach) - int(y[0, 0])
        mask[max(top, 0) : max(top + size, 0), max(left, 0) : max(left + size, 0)] = True
    return mask
