"""Coarse levels of a world: each level has half of the rows and columns of the level before, rounded up."""

from __future__ import annotations

import numpy as np

GROUP = "pyramid"
"""The group of a store in which the levels are."""

SIDE_MOST = 256
"""A level whose sides are no longer than this is the last.

So a cell of a level covers cells of one shard only: worlds have at most `SIZE_LIMIT` cells a side.
"""


def levels(height: int, width: int) -> int:
    """The number of levels above the cells of a world of that height and width."""
    count = 0
    while max(height, width) > SIDE_MOST:
        height, width, count = -(-height // 2), -(-width // 2), count + 1
    return count


def majorities(material: np.ndarray, count: int) -> list[np.ndarray]:
    """The levels of materials: (rows, columns) uint8 each.

    A cell of a level has the most frequent material of the 2 by 2 cells that it covers in the level before; of equally
    frequent ones, the material with the lowest number. If the level before has an odd side, its last row or column is
    repeated.

    Args:
        material: the materials of a world, or of some cells of it; see `means`.
        count: the number of levels.
    """
    found = []
    for _ in range(count):
        material = _majority(material)
        found.append(material)
    return found


def means(amounts: np.ndarray, count: int) -> list[np.ndarray]:
    """The levels of amounts: (rows, columns) or (layers, rows, columns) each, of the type of the amounts.

    A cell of a level has the mean of the world's cells that it covers, rounded to the nearest integer, halves up.

    Args:
        amounts: those of a world, or of some cells of it, (rows, columns) or (layers, rows, columns), of any integer
            type, from 0 on. The rows and columns of some cells begin at multiples of ``2**count`` and end at such, or
            with the world: then the levels of these cells are cells of the world's levels.
        count: the number of levels.
    """
    sums, found = amounts, []
    for level in range(1, count + 1):
        sums = _halved(_halved(sums, -2), -1)
        rows, columns = (_covered(size, level) for size in amounts.shape[-2:])
        cells = rows[:, None] * columns
        found.append(((sums + cells // 2) // cells).astype(amounts.dtype))
    return found


def _majority(material: np.ndarray) -> np.ndarray:
    """The most frequent material of each 2 by 2 cells: (height, width) uint8, of which half are returned."""
    height, width = material.shape
    even = np.pad(material, ((0, height % 2), (0, width % 2)), mode="edge")
    four = np.stack([even[row::2, column::2] for row in (0, 1) for column in (0, 1)])
    four.sort(axis=0)
    first, second, third, fourth = four
    middle = np.where(second == third, second, np.where(third == fourth, third, first))
    return np.where(first == second, first, middle)


def _covered(size: int, level: int) -> np.ndarray:
    """The number of rows of a world, or of some of its cells, that each row of a level covers, int64; so for columns.

    Args:
        size: the number of these rows.
        level: the number of the level.
    """
    return np.minimum(size - np.arange(0, size, 1 << level, dtype=np.int64), 1 << level)


def _halved(array: np.ndarray, axis: int) -> np.ndarray:
    """The sums of pairs of neighbours along an axis, int64; the last of an odd number is kept alone."""
    pairs = np.moveaxis(array, axis, 0)
    found = pairs[::2].astype(np.int64)
    found[: len(pairs) // 2] += pairs[1::2]
    return np.moveaxis(found, 0, axis)
