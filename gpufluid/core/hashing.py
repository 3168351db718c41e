"""The one integer hash: randomness and digests, the same in NumPy and in GLSL (``shaders/lib/hash.glsl``)."""

from __future__ import annotations

import numpy as np


def pcg4d(
    x: np.ndarray | int, y: np.ndarray | int, z: np.ndarray | int, w: np.ndarray | int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Four well-mixed 32-bit words from four 32-bit words; a bijection.

    Args:
        x, y, z, w: uint32 arrays or integers that broadcast together; integers are taken modulo 2**32.
    Returns: four uint32 arrays of the common shape.
    Source: Jarzynski & Olano 2020, "Hash Functions for GPU Rendering", JCGT 9(3), listing of pcg4d.
    """
    words = np.broadcast_arrays(*(_uint32(word) for word in (x, y, z, w)))
    x, y, z, w = (word * np.uint32(1664525) + np.uint32(1013904223) for word in words)
    x, y, z, w = _mix(x, y, z, w)
    shift = np.uint32(16)
    return _mix(x ^ (x >> shift), y ^ (y >> shift), z ^ (z >> shift), w ^ (w >> shift))


def keyed(seed: int, use: int) -> int:
    """The seed of one use of randomness, apart from those of all others: a step of the golden ratio times 2**32."""
    return (seed + use * 0x9E3779B9) & 0xFFFFFFFF


def _mix(
    x: np.ndarray, y: np.ndarray, z: np.ndarray, w: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    x = x + y * w
    y = y + z * x
    z = z + x * y
    w = w + y * z
    return x, y, z, w


def _uint32(word: np.ndarray | int) -> np.ndarray:
    if isinstance(word, int):
        return np.array([word & 0xFFFFFFFF], np.uint32)
    return np.atleast_1d(word).astype(np.uint32)
