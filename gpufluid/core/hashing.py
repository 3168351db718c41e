"""The integer hash that makes all random numbers and digests. Twin of ``shaders/lib/hash.glsl``."""

from __future__ import annotations

import numpy as np


def pcg4d(
    x: np.ndarray | int, y: np.ndarray | int, z: np.ndarray | int, w: np.ndarray | int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Hash four 32-bit words to four 32-bit words; a bijection.

    Args:
        x, y, z, w: uint32 arrays of any shape that broadcast together, or integers, taken modulo 2**32.
    Returns: four uint32 arrays of the broadcast shape, (1,) for integers alone.
    Source: Jarzynski & Olano 2020, "Hash Functions for GPU Rendering", JCGT 9(3), listing of pcg4d.
    """
    words = np.broadcast_arrays(*(_uint32(word) for word in (x, y, z, w)))
    x, y, z, w = (word * np.uint32(1664525) + np.uint32(1013904223) for word in words)
    x, y, z, w = _mix(x, y, z, w)
    shift = np.uint32(16)
    return _mix(x ^ (x >> shift), y ^ (y >> shift), z ^ (z >> shift), w ^ (w >> shift))


def stream_seed(seed: int, use: int) -> int:
    """The seed of one random stream: ``seed + use * 0x9E3779B9`` modulo 2**32.

    Args:
        seed: the seed of the world, 0 to 2**32 - 1.
        use: the number of the stream; different streams get different seeds.
    Source: 0x9E3779B9 is 2**32 divided by the golden ratio; Knuth, The Art of Computer Programming 3, section 6.4.
    """
    return (seed + use * 0x9E3779B9) & 0xFFFFFFFF


def _mix(
    x: np.ndarray, y: np.ndarray, z: np.ndarray, w: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """One round of pcg4d on uint32 arrays. The products and sums wrap around, modulo 2**32."""
    x = x + y * w
    y = y + z * x
    z = z + x * y
    w = w + y * z
    return x, y, z, w


def _uint32(word: np.ndarray | int) -> np.ndarray:
    if isinstance(word, int):
        return np.array([word & 0xFFFFFFFF], np.uint32)
    return np.atleast_1d(word).astype(np.uint32)
