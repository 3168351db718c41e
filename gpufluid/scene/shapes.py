"""Rasterisation of shapes to masks of cells, in exact integer arithmetic.

Whether a cell is in a shape depends on its place alone, so each rectangle of a world can be drawn without the others.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from gpufluid.scene.schema import Circle, Line, Polygon, Rectangle
from gpufluid.world.pieces import Box, bands, common

_CELLS_AT_ONCE = 1 << 18
"""Cells whose places are looked at together: the arithmetic takes many times the memory of a mask."""


class ShapeError(ValueError):
    """A shape outside the world.

    Args:
        field: the key of the fill that is wrong.
        message: what was found and what was expected.
        is_empty: whether the shape is valid, but has no cell in the world.
    """

    def __init__(self, field: str, message: str, *, is_empty: bool = False) -> None:
        super().__init__(message)
        self.field, self.is_empty = field, is_empty


class Region:
    """The cells of a world that are in a shape.

    Args:
        shape: the fill of the scene.
        size: (width, height) of the world.
    Raises: ShapeError: no cell of the world is in the shape, or a rectangle reaches outside the world.
    """

    def __init__(self, shape: Rectangle | Circle | Line | Polygon, size: tuple[int, int]) -> None:
        self._shape = shape
        self.bounds = _bounds(shape, size)
        """A rectangle of the world that has all of the cells in it."""
        if not any(self.mask(band).any() for band in bands(self.bounds, _CELLS_AT_ONCE)):
            field = {"circle": "at", "line": "from", "polygon": "points"}[shape.shape]
            wrong = f"no cell of the {shape.shape} is in the world of {size[0]} by {size[1]} cells"
            raise ShapeError(field, wrong, is_empty=True)

    def mask(self, box: Box) -> np.ndarray:
        """The cells of a rectangle of the world that are in the shape: (height, width) bool."""
        shape, (left, top, width, height) = self._shape, box
        if isinstance(shape, Rectangle):
            cells = np.zeros((height, width), bool)
            if (within := common(box, self.bounds)) is not None:
                x, y = within[0] - left, within[1] - top
                cells[y : y + within[3], x : x + within[2]] = True
            return cells
        y, x = np.ogrid[top : top + height, left : left + width]
        if isinstance(shape, Circle):
            return (x - shape.at[0]) ** 2 + (y - shape.at[1]) ** 2 <= math.floor(Fraction(shape.radius) ** 2)
        return _line(shape, x, y) if isinstance(shape, Line) else _polygon(shape, x, y)


def check_rectangle(at: tuple[int, int], cells: tuple[int, int], size: tuple[int, int]) -> Box:
    """The rectangle of a fill.

    Args:
        at: (column, row) of the top left cell.
        cells: (width, height) of the rectangle.
        size: (width, height) of the world.
    Raises: ShapeError: it has no cells, or reaches outside the world.
    """
    (left, top), (columns, rows), (width, height) = at, cells, size
    if columns < 1 or rows < 1:
        raise ShapeError("size", f"{columns} by {rows}; expected at least 1 by 1 cells")
    if left < 0 or top < 0 or left + columns > width or top + rows > height:
        raise ShapeError(
            "at",
            f"columns {left} to {left + columns - 1}, rows {top} to {top + rows - 1} reach outside"
            f" the world of {width} by {height} cells",
        )
    return left, top, columns, rows


def _bounds(shape: Rectangle | Circle | Line | Polygon, size: tuple[int, int]) -> Box:
    """A rectangle of the world that has all of a shape's cells in it; of a shape outside of the world some cell."""
    if isinstance(shape, Rectangle):
        return check_rectangle(shape.at, shape.size, size)
    if isinstance(shape, Polygon):
        corners, beyond = shape.points, 0
    elif isinstance(shape, Circle):
        corners, beyond = [shape.at], math.ceil(shape.radius)
    else:
        corners, beyond = [shape.start, shape.end], math.ceil(shape.width / 2)
    x, y = zip(*corners, strict=True)
    around = min(x) - beyond, min(y) - beyond, max(x) - min(x) + 2 * beyond + 1, max(y) - min(y) + 2 * beyond + 1
    return common(around, (0, 0, *size)) or (0, 0, 1, 1)


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
