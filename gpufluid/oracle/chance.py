"""Random words from seed, tick, stream and position in the whole world. Twin of ``lib/chance.glsl``."""

from __future__ import annotations

import numpy as np

from gpufluid.core.hashing import pcg4d, stream_seed
from gpufluid.world import World


def noise(world: World, x: np.ndarray | int, y: np.ndarray | int, tick: int, use: int) -> tuple[np.ndarray, ...]:
    """Draw four random words for each of some positions in a tick.

    A word depends on the position in the whole world, so a piece of a world draws the same words as the whole world.

    Args:
        world: gives the seed, and the origin of its frame in the whole world.
        x, y: columns and rows of the world's gravity frame, integers of any shape that broadcast together.
        tick: the tick.
        use: the number of the random stream.
    Returns: four uint32 arrays of the common shape.
    """
    column, row = world.domain.frame_origin(world.gravity)
    return pcg4d(x + column, y + row, tick, stream_seed(world.seed, use))


def noise_of_all(world: World, tick: int, use: int) -> tuple[np.ndarray, ...]:
    """Draw the four random words, uint32 of shape (1,), that all cells of the whole world share in a tick."""
    return pcg4d(0, 0, tick, stream_seed(world.seed, use))


def partition_offset(world: World, count: int, use: int) -> tuple[int, int]:
    """Compute the partition offset of a world's frame: (x, y), each 0 or 1.

    The first block begins this many cells before the frame's first cell. The blocks are aligned to the whole world.

    Args:
        world: gives the seed, and the origin of its frame in the whole world.
        count: the number of partitions since tick 0.
        use: the number of the random stream.
    """
    drawn = int(pcg4d((count & 0xFFFFFFFF) >> 2, 0, 0, stream_seed(world.seed, use))[0][0])
    phase = count & 3
    column, row = world.domain.frame_origin(world.gravity)
    return ((phase ^ (phase >> 1)) ^ drawn ^ column) & 1, (phase ^ (drawn >> 1) ^ row) & 1
