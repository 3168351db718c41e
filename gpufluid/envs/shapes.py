"""Cells of brushes in many worlds at once: each function returns (worlds, height, width) bool.

Positions are (worlds,) arrays of whole numbers, in cells; (0, 0) is the top left cell. Cells outside the world are left
out.
"""

from __future__ import annotations

import numpy as np


def _grid(size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """The columns, (1, 1, width), and the rows, (1, height, 1), of a world of a (width, height)."""
    return np.arange(size[0])[None, None, :], np.arange(size[1])[None, :, None]


def rectangle(size: tuple[int, int], left: np.ndarray, top: np.ndarray, width: int, height: int) -> np.ndarray:
    """Rectangles of one size, (worlds, height, width) bool.

    Args:
        size: (width, height) of the worlds in cells.
        left, top: (worlds,) int64, the first column and row of each.
        width, height: of a rectangle, in cells.
    """
    (columns, rows), x, y = _grid(size), left[:, None, None], top[:, None, None]
    return (columns >= x) & (columns < x + width) & (rows >= y) & (rows < y + height)


def disc(size: tuple[int, int], x: np.ndarray, y: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """Discs, (worlds, height, width) bool: the cells at most ``radius`` from the cell (x, y).

    Args:
        size: (width, height) of the worlds in cells.
        x, y, radius: (worlds,) int64, for each disc.
    """
    (columns, rows), reach = _grid(size), radius[:, None, None]
    return (columns - x[:, None, None]) ** 2 + (rows - y[:, None, None]) ** 2 <= reach * (reach + 1)


def diagonal(size: tuple[int, int], x: np.ndarray, y: np.ndarray, down: np.ndarray, reach: int) -> np.ndarray:
    """Diagonals two cells thick, (worlds, height, width) bool, ``reach`` columns to both sides of the cell (x, y).

    Args:
        size: (width, height) of the worlds in cells.
        x, y: (worlds,) int64, the middle of each.
        down: (worlds,) int64: 1 if it goes down to the right, -1 if it goes down to the left.
        reach: in columns.
    """
    columns, rows = _grid(size)
    across, along = columns - x[:, None, None], rows - y[:, None, None]
    slope = along - across * down[:, None, None]
    return (abs(across) <= reach) & ((slope == 0) | (slope == 1))
