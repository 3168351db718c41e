"""The 2x2 blocks of a partition. Twin of ``shaders/lib/partition.glsl``, with `chance.partition_offset`."""

from __future__ import annotations

import numpy as np


def block_places(shape: tuple[int, int], offset: tuple[int, int], wrap: bool) -> tuple[np.ndarray, np.ndarray]:
    """The first cell of each block that has cells of the world: x and y, [block row, block column] int64 each.

    Args:
        shape: (rows, columns) of the frame.
        offset: of the partition, (x, y).
        wrap: whether blocks close around a torus: then the block that begins one before the first cell is the last one.
    """
    past = 1 if wrap else 0
    tops, lefts = (np.arange(-offset[1 - axis], shape[axis] - past, 2) for axis in (0, 1))
    x, y = np.broadcast_arrays(lefts[None, :], tops[:, None])
    return x, y
