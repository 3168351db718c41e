"""Where atoms come from: the origin that each carries through a tick, and the move that follows from it.

Twin of ``shaders/lib/moves.glsl``.
"""

from __future__ import annotations

import numpy as np


def origins(height: int, width: int) -> np.ndarray:
    """(height, width) uint32: each cell's own place in one word, the column in the low half."""
    rows, columns = np.arange(height, dtype=np.uint32)[:, None], np.arange(width, dtype=np.uint32)[None, :]
    return rows << np.uint32(16) | columns


def moves(carried: np.ndarray, material: np.ndarray, wrap: bool) -> np.ndarray:
    """How far the atom in each cell has moved since the origins were given out.

    Args:
        carried: (height, width) uint32, the origins where the atoms now are.
        material: (height, width); an empty cell has moved nowhere.
        wrap: whether the edges meet: then the shorter way round counts.
    Returns: (height, width, 2) int32, x to the right and y down, in cells.
    """
    height, width = carried.shape
    here = origins(height, width)
    ways = []
    for shift, length in ((0, width), (16, height)):
        now, then = ((words >> np.uint32(shift) & np.uint32(0xFFFF)).astype(np.int32) for words in (here, carried))
        way = now - then
        if wrap:
            way = np.where(way > length // 2, way - length, np.where(way < -(length // 2), way + length, way))
        ways.append(np.where(material == 0, 0, way))
    return np.stack(ways, axis=2)
