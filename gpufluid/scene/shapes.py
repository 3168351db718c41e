"""Rasterisation of shapes to masks of cells, in exact integer arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from gpufluid.core.hashing import pcg4d
from gpufluid.scene.schema import Circle, Line, Noise, Polygon, Rectangle

_ONE = 1 << 16
"""1.0 in the fixed point of noise values."""


class ShapeError(ValueError):
    """A shape outside the world.

    Args:
        field: the key of the fill that is wrong.
        message: what was found and what was expected.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def mask(
    shape: Rectangle | Circle | Line | Polygon | Noise, height: int, width: int, seed: int, number: int = 0
) -> np.ndarray:
    """The cells of a shape.

    Args:
        shape: the fill of the scene.
        height, width: the size of the world.
        seed: the seed of the world; only noise uses it.
        number: the position of the fill among the fills of the scene, from 0; only noise uses it.
    Returns: (height, width) bool.
    Raises: ShapeError: no cell of the world is in the shape, or a rectangle reaches outside the world.
    """
    if isinstance(shape, Rectangle | Noise):
        cells = _rectangle(shape, height, width)
        return _noise(shape, cells, seed, number) if isinstance(shape, Noise) else cells
    y, x = np.ogrid[:height, :width]
    if isinstance(shape, Circle):
        field, cells = "at", (x - shape.at[0]) ** 2 + (y - shape.at[1]) ** 2 <= math.floor(Fraction(shape.radius) ** 2)
    elif isinstance(shape, Line):
        field, cells = "from", _line(shape, x, y)
    else:
        field, cells = "points", _polygon(shape, x, y)
    if not cells.any():
        raise ShapeError(field, f"no cell of the {shape.shape} is in the world of {width} by {height} cells")
    return cells


def _rectangle(shape: Rectangle | Noise, height: int, width: int) -> np.ndarray:
    (left, top), (columns, rows) = shape.at, shape.size or (width, height)
    if columns < 1 or rows < 1:
        raise ShapeError("size", f"{columns} by {rows}; expected at least 1 by 1 cells")
    if left < 0 or top < 0 or left + columns > width or top + rows > height:
        raise ShapeError(
            "at",
            f"columns {left} to {left + columns - 1}, rows {top} to {top + rows - 1} reach outside"
            f" the world of {width} by {height} cells",
        )
    cells = np.zeros((height, width), bool)
    cells[top : top + rows, left : left + columns] = True
    return cells


def _line(shape: Line, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    (x0, y0), (x1, y1) = shape.start, shape.end
    dx, dy = x1 - x0, y1 - y0
    length2 = dx * dx + dy * dy
    along = (x - x0) * dx + (y - y0) * dy
    across = (x - x0) * dy - (y - y0) * dx
    reach2 = Fraction(shape.width) ** 2 / 4  # the square of half the width; the comparisons below use its floor
    beside = (along >= 0) & (along <= length2) & (abs(across) <= math.isqrt(math.floor(reach2 * length2)))
    near_ends = [(x - a) ** 2 + (y - b) ** 2 <= math.floor(reach2) for a, b in ((x0, y0), (x1, y1))]
    return (beside & (length2 > 0)) | near_ends[0] | near_ends[1]


def _polygon(shape: Polygon, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Even-odd rule at the centres of cells. Coordinates are in half cells, so that all of them are integers."""
    cx, cy = 2 * x + 1, 2 * y + 1
    inside = np.zeros((y.shape[0], x.shape[1]), bool)
    for (x0, y0), (x1, y1) in zip(shape.points, shape.points[1:] + shape.points[:1], strict=True):
        if y0 == y1:
            continue
        if y0 > y1:
            x0, y0, x1, y1 = x1, y1, x0, y0
        spans = (2 * y0 < cy) & (cy < 2 * y1)
        inside ^= spans & ((cx - 2 * x0) * (y1 - y0) < (cy - 2 * y0) * (x1 - x0))
    return inside


def _noise(shape: Noise, cells: np.ndarray, seed: int, number: int) -> np.ndarray:
    """The cells with the highest noise values: the fraction ``cover`` of ``cells``, rounded; ties by position."""
    height, width = cells.shape
    total = np.zeros((height, width), np.int64)
    for octave in range(shape.octaves):
        total += _value_noise(height, width, max(1, shape.scale >> octave), seed, number << 4 | octave) >> octave
    values = total[cells]
    wanted = round(shape.cover * values.size)
    chosen = _largest(values, wanted)
    result = np.zeros_like(cells)
    result[cells] = chosen
    return result


def _largest(values: np.ndarray, wanted: int) -> np.ndarray:
    """A mask of the ``wanted`` largest values; among equal values the first are chosen."""
    if wanted == 0:
        return np.zeros(values.size, bool)
    least = np.partition(values, values.size - wanted)[values.size - wanted]
    chosen = values > least
    chosen[np.flatnonzero(values == least)[: wanted - int(chosen.sum())]] = True
    return chosen


def _value_noise(height: int, width: int, scale: int, seed: int, layer: int) -> np.ndarray:
    """(height, width) int64, 0 to 65535: value noise, hashed values on a lattice with smooth interpolation."""
    row, row_part = _lattice(height, scale)
    column, column_part = _lattice(width, scale)
    corner = pcg4d(np.arange(column[-1] + 2)[None, :], np.arange(row[-1] + 2)[:, None], seed, layer)[0]
    lattice = (corner >> np.uint32(16)).astype(np.int64)
    rows_joined = lattice[row] * (_ONE - row_part[:, None]) + lattice[row + 1] * row_part[:, None] >> 16
    return rows_joined[:, column] * (_ONE - column_part) + rows_joined[:, column + 1] * column_part >> 16


def _lattice(cells: int, scale: int) -> tuple[np.ndarray, np.ndarray]:
    """The lattice index before each cell, and the interpolation weight 3t² - 2t³ in 65536ths; (cells,) int64 each."""
    position = np.arange(cells, dtype=np.int64)
    t = (position % scale) * _ONE // scale
    return position // scale, (t * t >> 16) * (3 * _ONE - 2 * t) >> 16
