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

    A cell of a level has the most frequent material of the 2 by 2 cells that it covers in the level before; of equally
    frequent ones, the material with the lowest number. If the level before has an odd side, its last row or column is
    repeated.

    Args:
        material: (height, width) uint8.
    Yields: arrays (rows, columns) uint8.
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
    """Yield the levels of amounts: the mean of the world's cells that each cell covers, rounded to the nearest integer.

    Halves are rounded up.

    Args:
        amounts: (height, width) or (layers, height, width), of any integer type, from 0 on.
    Yields: arrays (rows, columns) or (layers, rows, columns) of the same type.
    """
    sums, height, width = amounts, np.ones(amounts.shape[-2], np.int64), np.ones(amounts.shape[-1], np.int64)
    for _ in range(levels(*amounts.shape[-2:])):
        sums = _halved(_halved(sums, -2), -1)
        height, width = _halved(height, -1), _halved(width, -1)
        cells = height[:, None] * width
        yield ((sums + cells // 2) // cells).astype(amounts.dtype)


def _halved(array: np.ndarray, axis: int) -> np.ndarray:
    """The sums of pairs of neighbours along an axis, int64; the last of an odd number is kept alone."""
    pairs = np.moveaxis(array, axis, 0)
    found = pairs[::2].astype(np.int64)
    found[: len(pairs) // 2] += pairs[1::2]
    return np.moveaxis(found, 0, axis)
