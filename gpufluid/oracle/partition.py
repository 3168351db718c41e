"""The 2x2 blocks of a partition. Twin of ``shaders/lib/partition.glsl``, with `chance.partition_offset`."""

from __future__ import annotations

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
