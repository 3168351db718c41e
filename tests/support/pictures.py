"""Pictures for tests of connected components, hard ones among them, and a plain search of components."""

from __future__ import annotations

from collections.abc import Callable

import measure_pressure
import numpy as np

Picture = Callable[[int], np.ndarray]
"""A function from a side in cells to a picture, [row, column] bool."""


def spiral(side: int) -> np.ndarray:
    """A spiral corridor, one cell wide, from the outside to the middle: the longest path in a square."""
    return measure_pressure.spiral(side) == measure_pressure.WATER


def comb(side: int) -> np.ndarray:
    """A comb: every other column, joined only along the last row."""
    found = np.zeros((side, side), bool)
    found[:, ::2] = True
    found[-1] = True
    return found


def lying_comb(side: int) -> np.ndarray:
    """A comb of rows, joined only along the last column."""
    return comb(side).T


def nested(side: int) -> np.ndarray:
    """Concentric rings, each a separate component."""
    rows, columns = np.indices((side, side))
    inward = np.minimum(np.minimum(rows, columns), np.minimum(side - 1 - rows, side - 1 - columns))
    return inward % 2 == 0


def chequered(side: int) -> np.ndarray:
    """Cells that do not touch: the largest number of components."""
    return np.indices((side, side)).sum(axis=0) % 2 == 0


def full(side: int) -> np.ndarray:
    """All cells in a single component."""
    return np.ones((side, side), bool)


def scattered(share: float) -> Picture:
    """A share of cells at random; at about 0.59, the percolation threshold, components are most irregular."""
    return lambda side: np.random.default_rng(side).random((side, side)) < share


PICTURES: dict[str, Picture] = {
    **{picture.__name__: picture for picture in (spiral, comb, lying_comb, nested, chequered, full)},
    **{f"scattered {share}": scattered(share) for share in (0.3, 0.593, 0.9)},
}


def first_cells(picture: np.ndarray, wrap: bool = False) -> np.ndarray:
    """Label connected components: each cell gets the number of the component's first cell in row order, from 1; else 0.

    A plain search from each cell that has no label yet, in all directions.

    Args:
        picture: [row, column] bool.
        wrap: whether the picture is a torus.
    """
    rows, columns = picture.shape
    there, found = picture.reshape(-1).tolist(), [0] * picture.size
    for first in np.flatnonzero(picture).tolist():
        if found[first]:
            continue
        found[first], edge = first + 1, [first]
        while edge:
            for place in _around(edge.pop(), rows, columns, wrap):
                if there[place] and not found[place]:
                    found[place] = first + 1
                    edge.append(place)
    return np.array(found, np.uint32).reshape(picture.shape)


def _around(place: int, rows: int, columns: int, wrap: bool) -> list[int]:
    row, column = divmod(place, columns)
    found = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    if wrap:
        return [y % rows * columns + x % columns for y, x in found]
    return [y * columns + x for y, x in found if 0 <= y < rows and 0 <= x < columns]
