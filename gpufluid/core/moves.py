"""Displacement of atoms within a tick, from the origin that each atom carries.

Twin of ``shaders/lib/moves.glsl``.
"""

from __future__ import annotations

import numpy as np


def origins(height: int, width: int) -> np.ndarray:
    """(height, width) uint32: the position of each cell, the column in the low 16 bits and the row in the high 16."""
    rows, columns = np.arange(height, dtype=np.uint32)[:, None], np.arange(width, dtype=np.uint32)[None, :]
    return rows << np.uint32(16) | columns


def moves(carried: np.ndarray, material: np.ndarray, wrap: bool) -> np.ndarray:
    """The displacement of each atom since the origins were assigned.

    Args:
        carried: (height, width) uint32, the origin of the atom that now lies in each cell; see `origins`.
        material: (height, width) uint8; the displacement of an empty cell is 0.
        wrap: whether the edges wrap; if so, the displacement is the shorter one around the torus.
    Returns: (height, width, 2) int32, x to the right and y down, in cells.
    """
    height, width = carried.shape
    here = origins(height, width)
    axes = []
    for shift, length in ((0, width), (16, height)):
        now, then = ((words >> np.uint32(shift) & np.uint32(0xFFFF)).astype(np.int32) for words in (here, carried))
        move = now - then
        if wrap:
            move = np.where(move > length // 2, move - length, np.where(move < -(length // 2), move + length, move))
        axes.append(np.where(material == 0, 0, move))
    return np.stack(axes, axis=2)
