"""The 2x2 blocks of a partition. Twin of ``shaders/lib/partition.glsl``, with `chance.partition_offset`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np


def block_places(shape: tuple[int, int], offset: tuple[int, int], wrap: bool) -> tuple[np.ndarray, np.ndarray]:
    """Find the first cell of each block that has cells in the world: x and y, [block row, block column] int64 each.

    Args:
        shape: (rows, columns) of the frame.
        offset: the partition offset, (x, y), each 0 or 1.
        wrap: True on a torus, where a block that begins one cell before the first cell is the last block too.
    """
    past = 1 if wrap else 0
    tops, lefts = (np.arange(-offset[1 - axis], shape[axis] - past, 2) for axis in (0, 1))
    x, y = np.broadcast_arrays(lefts[None, :], tops[:, None])
    return x, y


class Blocks:
    """The cells of the 2x2 blocks of a partition, as copies that can be changed and written back.

    ``cells`` has four sets of fields: upper left, upper right, lower left, lower right; each array is
    [block row, block column]. ``x`` and ``y`` are the places of the upper left cells. ``sides`` tells for the left and
    the right cells toward which side they lie: -1 or 1.
    """

    def __init__(
        self, fields: Mapping[str, np.ndarray], offset: tuple[int, int], wrap: bool, outside: Mapping[str, int]
    ) -> None:
        """Copy the cells of all blocks.

        Args:
            fields: the fields of all cells, integers [row, column] of the gravity frame.
            offset: the partition offset, (x, y), each 0 or 1.
            wrap: True on a torus.
            outside: the values of fields in cells outside the world, by name.
        """
        height, width = next(iter(fields.values())).shape
        self.x, self.y = block_places((height, width), offset, wrap)
        self._places, self._inside = [], []
        self.cells: list[dict[str, np.ndarray]] = []
        self.sides = [np.full(self.x.shape, side) for side in (-1, 1)]
        for down, right in np.ndindex(2, 2):
            y, x = self.y + down, self.x + right
            inside = np.full(x.shape, True) if wrap else (y >= 0) & (y < height) & (x >= 0) & (x < width)
            place = y % height, x % width
            found = {name: values[place] for name, values in fields.items()}
            for name, value in outside.items():
                found[name][~inside] = value
            self._places.append(place)
            self._inside.append(inside)
            self.cells.append(found)

    def mirror(self, where: np.ndarray) -> None:
        """Exchange the columns of some blocks; a second call restores them.

        Args:
            where: [row, column] bool, True for these blocks.
        """
        for left, right in ((0, 1), (2, 3)):
            a, b = self.cells[left], self.cells[right]
            self.cells[left] = {name: np.where(where, b[name], a[name]) for name in a}
            self.cells[right] = {name: np.where(where, a[name], b[name]) for name in a}
        self.sides = [np.where(where, -side, side) for side in self.sides]

    def write(self, fields: dict[str, np.ndarray]) -> None:
        """Write the blocks back to the fields of all cells, [row, column], each of the field's type."""
        for cell, place, inside in zip(self.cells, self._places, self._inside, strict=True):
            at = place[0][inside], place[1][inside]
            for name, values in cell.items():
                fields[name][at] = values[inside]
