"""Pictures of which parts hang together, hard ones among them; and which parts those are, found cell by cell."""

from __future__ import annotations

from collections.abc import Callable

import measure_pressure
import numpy as np

Picture = Callable[[int], np.ndarray]
"""From a side in cells to [row, column] bool."""


def spiral(side: int) -> np.ndarray:
    """One corridor, a cell wide, that winds from the outside to the middle: the longest way there is."""
    return measure_pressure.spiral(side) == measure_pressure.WATER


def comb(side: int) -> np.ndarray:
    """Teeth in every other column, joined along the last row only: far apart until the very end."""
    found = np.zeros((side, side), bool)
    found[:, ::2] = True
    found[-1] = True
    return found


def lying_comb(side: int) -> np.ndarray:
    """The same with its back at the right."""
    return comb(side).T


def nested(side: int) -> np.ndarray:
    """Rings in one another, each a body of its own."""
    rows, columns = np.indices((side, side))
    inward = np.minimum(np.minimum(rows, columns), np.minimum(side - 1 - rows, side - 1 - columns))
    return inward % 2 == 0


def chequered(side: int) -> np.ndarray:
    """No two cells touch: as many bodies as there can be."""
    return np.indices((side, side)).sum(axis=0) % 2 == 0


def full(side: int) -> np.ndarray:
    """One body of all cells."""
    return np.ones((side, side), bool)


def scattered(share: float) -> Picture:
    """So many cells at random; at about 0.59 bodies are the most ragged."""
    return lambda side: np.random.default_rng(side).random((side, side)) < share


PICTURES: dict[str, Picture] = {
    **{picture.__name__: picture for picture in (spiral, comb, lying_comb, nested, chequered, full)},
    **{f"scattered {share}": scattered(share) for share in (0.3, 0.593, 0.9)},
}


def first_cells(picture: np.ndarray, wrap: bool = False) -> np.ndarray:
    """Of each cell of a picture the first of all that hang together with it, along rows, from 1 on; 0 elsewhere.

    Found as one would by hand: from each cell that has no number yet into all directions.

    Args:
        picture: [row, column] bool.
        wrap: whether it closes on itself along both axes.
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
