"""Coarse levels of a world: each level has half of the rows and columns of the level before, rounded up."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

GROUP = "pyramid"
"""The group of a store in which the levels are."""

SIDE_MOST = 256
"""A level whose sides are no longer than this is the last."""


def levels(height: int, width: int) -> int:
    """The number of levels above the cells of a world of that height and width."""
    count = 0
    while max(height, width) > SIDE_MOST:
        height, width, count = -(-height // 2), -(-width // 2), count + 1
    return count


def majorities(material: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the levels of materials.

    A cell of a level has the material of most of the 2 by 2 cells below it, of several the one with the lowest number.
    In the last row and column of a level of odd size the cells that are missing count as those beside them.

    Args:
        material: (height, width) uint8.
    Returns: arrays (rows, columns) uint8.
    """
    for _ in range(levels(*material.shape)):
        height, width = material.shape
        even = np.pad(material, ((0, height % 2), (0, width % 2)), mode="edge")
        four = np.stack([even[row::2, column::2] for row in (0, 1) for column in (0, 1)])
        four.sort(axis=0)
        first, second, third, fourth = four
        middle = np.where(second == third, second, np.where(third == fourth, third, first))
        material = np.where(first == second, first, middle)
        yield material


def means(amounts: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the levels of amounts: the mean of the cells of the world below each cell, rounded to the nearest number.

    Args:
        amounts: (height, width) or (layers, height, width), of any integer type, from 0 on.
    Returns: arrays (rows, columns) or (layers, rows, columns) of the same type.
    """
    sums, height, width = amounts, np.ones(amounts.shape[-2], np.int64), np.ones(amounts.shape[-1], np.int64)
    for _ in range(levels(*amounts.shape[-2:])):
        sums = _halved(_halved(sums, -2), -1)
        height, width = _halved(height, -1), _halved(width, -1)
        cells = height[:, None] * width
        yield ((sums + cells // 2) // cells).astype(amounts.dtype)


def _halved(array: np.ndarray, axis: int) -> np.ndarray:
    """The sums of two and two neighbours along an axis, int64; an odd last one stays alone."""
    pairs = np.moveaxis(array, axis, 0)
    found = pairs[::2].astype(np.int64)
    found[: len(pairs) // 2] += pairs[1::2]
    return np.moveaxis(found, 0, axis)
