"""The digest of a state: a sum of hashes modulo 2**32 in four lanes.

The order of a sum does not matter. So the device adds in parallel (``shaders/digest/digest.comp``), the host adds row
by row, and both get the same 32 hex digits.
"""

from __future__ import annotations

import numpy as np

from gpufluid.core.hashing import pcg4d


def header_lanes(width: int, height: int, tick: int, seed: int) -> np.ndarray:
    """(4,) uint32: the part of a digest that stands for size, tick and seed.

    No plane has the number 0xFFFFFFFF or 0xFFFFFFFE, so these hashes differ from those of `plane_lanes`.
    """
    size = pcg4d(width, height, 0, 0xFFFFFFFF)
    time = pcg4d(tick, tick >> 32, seed, 0xFFFFFFFE)
    return np.concatenate(size) + np.concatenate(time)


def plane_lanes(array: np.ndarray, number: int, at: tuple[int, int] = (0, 0)) -> np.ndarray:
    """The part of a digest that stands for one plane: the sum of `pcg4d` (column, row, word, number of the plane).

    Args:
        array: (height, width) integers of 32 bits at most, such as int32, taken modulo 2**32.
        number: of the plane.
        at: (column, row) of the first of these words in the plane, if they are a rectangle of it.
    Returns: (4,) uint32.
    """
    lanes = np.zeros(4, np.uint32)
    columns = np.arange(at[0], at[0] + array.shape[1], dtype=np.uint32)[None, :]
    rows_at_once = max(1, (1 << 16) // array.shape[1])  # so that the scratch arrays stay in the cache
    for top in range(0, array.shape[0], rows_at_once):
        part = array[top : top + rows_at_once]
        rows = np.arange(at[1] + top, at[1] + top + len(part), dtype=np.uint32)[:, None]
        words = pcg4d(columns, rows, part.astype(np.uint32), number)
        lanes += np.array([word.sum(dtype=np.uint32) for word in words], np.uint32)
    return lanes


def digest_text(lanes: np.ndarray) -> str:
    """The 32 hex digits of (4,) uint32 lanes."""
    return "".join(f"{int(lane):08x}" for lane in lanes)
