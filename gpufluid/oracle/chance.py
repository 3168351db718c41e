"""Random words by seed, tick, use and position in the whole world. Twin of ``lib/chance.glsl``."""

from __future__ import annotations

import numpy as np

from gpufluid.core.hashing import keyed, pcg4d
from gpufluid.world import World


def noise(world: World, x: np.ndarray | int, y: np.ndarray | int, tick: int, use: int) -> tuple[np.ndarray, ...]:
    """Four random words for places of a world's frame in a tick.

    Args:
        world: whose seed draws; the places are counted in its frame, and drawn for by theirs in the whole world's.
        x, y: columns and rows of gravity's frame, integers that broadcast together.
        tick: the tick.
        use: tells one use of random words from another.
    Returns: four uint32 arrays of the common shape.
    """
    column, row = world.domain.frame_origin(world.gravity)
    return pcg4d(x + column, y + row, tick, keyed(world.seed, use))


def noise_of_all(world: World, tick: int, use: int) -> tuple[np.ndarray, ...]:
    """Four random words, uint32 of shape (1,), that all places of the whole world have in common in a tick."""
    return pcg4d(0, 0, tick, keyed(world.seed, use))


def partition_offset(world: World, count: int, use: int) -> tuple[int, int]:
    """(x, y) of the first block of a partition in a world's frame, each 0 or 1 before a multiple of 2.

    Args:
        world: its blocks are those of the whole world's frame.
        count: of all partitions so far.
        use: as for `noise`.
    """
    drawn = int(pcg4d((count & 0xFFFFFFFF) >> 2, 0, 0, keyed(world.seed, use))[0][0])
    phase = count & 3
    column, row = world.domain.frame_origin(world.gravity)
    return ((phase ^ (phase >> 1)) ^ drawn ^ column) & 1, (phase ^ (drawn >> 1) ^ row) & 1
