"""Coarse levels of a world: each level has half of the rows and columns of the level before, rounded up."""

from __future__ import annotations

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


class Majorities:
    """The levels of materials, of some columns of a world whose rows come from the top down.

    A cell of a level has the most frequent material of the 2 by 2 cells that it covers in the level before; of equally
    frequent ones, the material with the lowest number. If the level before has an odd side, its last row or column is
    repeated.

    Args:
        count: the number of levels.
    """

    def __init__(self, count: int) -> None:
        self._rows = [_Pairs() for _ in range(count)]

    def add(self, material: np.ndarray, last: bool) -> list[np.ndarray]:
        """The next rows of each level, (rows, columns) uint8; maybe none.

        Args:
            material: the next rows of the world, (rows, columns) uint8.
            last: whether they end with the last one.
        """
        found = []
        for pairs in self._rows:
            material = _majority(pairs.of(material, last))
            found.append(material)
        return found


class Means:
    """The levels of amounts, of some columns of a world whose rows come from the top down.

    A cell of a level has the mean of the world's cells that it covers, rounded to the nearest integer, halves up.

    Args:
        count: the number of levels.
        height, width: rows of the world, and the number of the columns.
    """

    def __init__(self, count: int, height: int, width: int) -> None:
        self._rows = [_Pairs() for _ in range(count)]
        self._done = [0] * count  # rows of each level so far
        self._size = height, width

    def add(self, amounts: np.ndarray, last: bool) -> list[np.ndarray]:
        """The next rows of each level; maybe none.

        Args:
            amounts: the next rows of the world, (rows, columns) or (layers, rows, columns), of any integer type, from 0
                on.
            last: whether they end with the last one.
        Returns: arrays (rows, columns) or (layers, rows, columns) of the type of the amounts.
        """
        sums, found = amounts, []
        for level, pairs in enumerate(self._rows):
            sums = _halved(_halved(pairs.of(sums, last), -2), -1)
            first, rows, columns = self._done[level], *sums.shape[-2:]
            cells = _covered(first, rows, level + 1, self._size[0])[:, None]
            cells = cells * _covered(0, columns, level + 1, self._size[1])
            found.append(((sums + cells // 2) // cells).astype(amounts.dtype))
            self._done[level] += rows
        return found


class _Pairs:
    """Rows that come one after the other, in pairs: a row without its neighbour is kept until that comes."""

    def __init__(self) -> None:
        self._kept: np.ndarray | None = None

    def of(self, rows: np.ndarray, last: bool) -> np.ndarray:
        """The rows that can be joined in pairs now; at the end a row may be alone.

        Args:
            rows: the next rows, (..., rows, columns) of any type.
            last: whether they end with the last one.
        """
        there = rows if self._kept is None else np.concatenate([self._kept, rows], axis=-2)
        count = there.shape[-2] if last else there.shape[-2] // 2 * 2
        self._kept = there[..., count:, :]
        return there[..., :count, :]


def _majority(material: np.ndarray) -> np.ndarray:
    """The most frequent material of each 2 by 2 cells: (height, width) uint8, of which half are returned."""
    height, width = material.shape
    even = np.pad(material, ((0, height % 2), (0, width % 2)), mode="edge")
    four = np.stack([even[row::2, column::2] for row in (0, 1) for column in (0, 1)])
    four.sort(axis=0)
    first, second, third, fourth = four
    middle = np.where(second == third, second, np.where(third == fourth, third, first))
    return np.where(first == second, first, middle)


def _covered(first: int, count: int, level: int, size: int) -> np.ndarray:
    """The rows of the world that each of some rows of a level covers, (count,) int64; the same for columns.

    Args:
        first: the number of the first of these rows in the level.
        count: how many they are.
        level: the number of the level.
        size: the rows of the world.
    """
    begin = (np.arange(first, first + count, dtype=np.int64)) << level
    return np.minimum(size - begin, 1 << level)


def _halved(array: np.ndarray, axis: int) -> np.ndarray:
    """The sums of pairs of neighbours along an axis, int64; the last of an odd number is kept alone."""
    pairs = np.moveaxis(array, axis, 0)
    found = pairs[::2].astype(np.int64)
    found[: len(pairs) // 2] += pairs[1::2]
    return np.moveaxis(found, 0, axis)
