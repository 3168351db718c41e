"""The digest of a state: a sum of hashes modulo 2**32 in four lanes.

A sum can be taken in any order, so the device takes it in parallel (``shaders/digest/digest.comp``) and the host in
rows, and both arrive at the same 32 hex digits.
"""

from __future__ import annotations

import numpy as np

from gpufluid.core.hashing import pcg4d


def header_lanes(width: int, height: int, tick: int, seed: int) -> np.ndarray:
    """(4,) uint32: the part of a digest that is no plane. Its last words are no plane's number."""
    size = pcg4d(width, height, 0, 0xFFFFFFFF)
    time = pcg4d(tick, tick >> 32, seed, 0xFFFFFFFE)
    return np.concatenate(size) + np.concatenate(time)


def plane_lanes(array: np.ndarray, number: int) -> np.ndarray:
    """(4,) uint32: the part of a digest that one plane is, over (column, row, word, number of the plane)."""
    lanes = np.zeros(4, np.uint32)
    columns = np.arange(array.shape[1], dtype=np.uint32)[None, :]
    rows_at_once = max(1, (1 << 16) // array.shape[1])  # so that the scratch arrays stay in the cache
    for top in range(0, array.shape[0], rows_at_once):
        part = array[top : top + rows_at_once]
        rows = np.arange(top, top + len(part), dtype=np.uint32)[:, None]
        words = pcg4d(columns, rows, part.astype(np.uint32), number)
        lanes += np.array([word.sum(dtype=np.uint32) for word in words], np.uint32)
    return lanes


def digest_text(lanes: np.ndarray) -> str:
    """Four uint32 lanes as 32 hex digits."""
    return "".join(f"{int(lane):08x}" for lane in lanes)
