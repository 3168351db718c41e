"""The values of cells beside each cell."""

from __future__ import annotations

import numpy as np


def beside(array: np.ndarray, down: int, across: int, *, wrap: bool, outside: int = 0) -> np.ndarray:
    """The value of the cell so many rows down and columns across from each cell.

    Args:
        array: (rows, columns), of any type such as int64 or bool.
        down, across: of either sign.
        wrap: whether the cells are those of a torus.
        outside: the value beyond the edges of another world.
    Returns: (rows, columns), of the same type, such as int64 or bool.
    """
    if wrap:
        return np.roll(array, (-down, -across), (0, 1))
    reach = max(abs(down), abs(across))
    padded = np.pad(array, reach, constant_values=outside)
    rows, columns = array.shape
    return padded[reach + down : reach + down + rows, reach + across : reach + across + columns]
