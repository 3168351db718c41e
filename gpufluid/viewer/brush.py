"""The cells of a brush stroke, a rectangle or a flood fill.

Arguments are cells (column, row), which may lie outside the world; the returned cells all lie in the world.
"""

from __future__ import annotations

from math import isqrt

import numpy as np

from gpufluid.core.runs import Runs

Cell = tuple[int, int]
"""(column, row)."""

SHAPES = ("round", "square", "spray")

SIZE_MOST = 512
"""Largest brush width, in cells."""


FAR = 1 << 20
"""Largest distance of a stroke's cell from cell (0, 0), along each axis, up to which the cells of strokes are exact."""


def stroke(shape: str, size: int, start: Cell, end: Cell, world: Cell) -> Runs:
    """The cells that a brush touches from one cell to another, both included; none if all lie outside the world.

    Args:
        shape: one of `SHAPES`; a spray is round, and draws its cells from these.
        size: brush width in cells; a round brush of even size is one cell wider.
        start, end: (column, row) of the stroke's ends.
        world: (width, height) in cells.
    """
    return (_square if shape == "square" else _round)(size, start, end, world)


def rectangle(start: Cell, end: Cell, world: Cell) -> Runs:
    """The rectangle between two corner cells, both included; no cells if it lies outside the world."""
    left, top = (max(min(a, b), 0) for a, b in zip(start, end, strict=True))
    right, bottom = (min(max(a, b) + 1, side) for a, b, side in zip(start, end, world, strict=True))
    rows = max(bottom - top, 0)
    return Runs.of_rows(top, np.full(rows, left), np.full(rows, right), world)


def flood_fill(same: np.ndarray, at: Cell) -> Runs:
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
    return Runs.of_mask(0, 0, found)


def _run(row: np.ndarray, column: int) -> tuple[int, int]:
    """(first column, last column + 1) of the run of marked cells around a column; `row` is (width,) bool."""
    before, after = np.flatnonzero(~row[:column]), np.flatnonzero(~row[column:])
    return (int(before[-1]) + 1 if len(before) else 0), (column + int(after[0]) if len(after) else len(row))


def _round(size: int, start: Cell, end: Cell, world: Cell) -> Runs:
    """Cells whose middles are at most half of `size`, and at least 0.71, from the line between those of two cells.

    0.71 is half a cell's diagonal: so the thinnest line is connected. In each row they are one run: that of a disc
    around each end, and that of the strip between the ends. Whole numbers, so the runs are exact: with x and y from the
    start, (a, b) the way to the end, and r the reach, the strip has the cells with ``|x b - y a| <= r |(a, b)|`` and
    ``0 <= x a + y b <= |(a, b)|^2``.
    """
    (a, b), square = (end[axis] - start[axis] for axis in (0, 1)), max(10_000 * size * size, 20_164)
    top, bottom = min(start[1], end[1]) - size // 2 - 1, max(start[1], end[1]) + size // 2 + 1
    top, bottom = max(top, -1), min(bottom, world[1])
    y = np.arange(top, bottom + 1, dtype=np.int64) - start[1]
    low, high = _disc(y, square)
    far = _disc(y - b, square)
    low, high = np.minimum(low, far[0] + a), np.maximum(high, far[1] + a)
    length = a * a + b * b
    if length:
        strip = _between(b, y * a, isqrt(square * length // 40_000))
        along = _between(a, -y * b, None, length)
        first, last = np.maximum(strip[0], along[0]), np.minimum(strip[1], along[1])
        there = first <= last
        low, high = np.where(there, np.minimum(low, first), low), np.where(there, np.maximum(high, last), high)
    return Runs.of_rows(top, low + start[0], high + start[0] + 1, world)


_FAR = 1 << 40
"""Beyond every column."""


def _disc(y: np.ndarray, square: int) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last x of a disc in each row y; first > last where it has none.

    Args:
        y: (rows,) int64, from the middle.
        square: the square of its width, times 10,000.
    """
    rest = (square - 40_000 * y * y) // 40_000
    x = np.sqrt(np.maximum(rest, 0)).astype(np.int64)  # exact: below 2**52
    return np.where(rest < 0, _FAR, -x), np.where(rest < 0, -_FAR, x)


def _between(factor: int, middle: np.ndarray, most: int | None, length: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last x with ``middle - most <= x factor <= middle + most``; first > last if there is none.

    Args:
        factor: a whole number.
        middle: (rows,) int64.
        most: the limit; None: ``middle <= x factor <= middle + length``.
        length: see ``most``.
    """
    low, high = (middle, middle + length) if most is None else (middle - most, middle + most)
    if factor == 0:
        there = (low <= 0) & (high >= 0)
        return np.where(there, -_FAR, _FAR), np.where(there, _FAR, -_FAR)
    if factor < 0:
        factor, low, high = -factor, -high, -low
    return -(-low // factor), high // factor


def _square(size: int, start: Cell, end: Cell, world: Cell) -> Runs:
    """The union of the squares around all cells of the line. In each row it is one run: the line has no gaps."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    along = np.arange(steps + 1)
    columns, rows = (np.rint(a + (b - a) * along / steps).astype(np.int64) for a, b in zip(start, end, strict=True))
    lefts, tops = columns - size // 2, rows - size // 2
    if tops[0] > tops[-1]:
        lefts, tops = lefts[::-1], tops[::-1]
    top, bottom = max(int(tops[0]), 0), min(int(tops[-1]) + size, world[1])
    y = np.arange(top, max(bottom, top))
    first, last = np.searchsorted(tops, y - size, side="right"), np.searchsorted(tops, y, side="right") - 1
    ends = lefts[first], lefts[last]
    return Runs.of_rows(top, np.minimum(*ends), np.maximum(*ends) + size, world)
