"""Finds the limits ahead of the columns of a mixture in the part of each rank.

What a cell of a column sends on depends on the cells ahead of it, through any number of rows (`rules.mixture`). To the
cells behind it, a stretch of a column is a function of the limit ahead of it: limit -> min(limit + gain, cap). Ranks
send the gain and the cap of each column in each of their stretches (`cluster.stretches`), for each limit: one for each
material of the mixture, or one for all of them if they exclude each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from gpufluid.cluster.stretches import Stretches
from gpufluid.core.fields import FULL

_UNLIMITED = 2 * FULL
"""``UNLIMITED`` of ``shaders/mixture/wishes.glsl``."""


class Limits:
    """The limits of columns, in one direction. It joins what `mixture.sum_sinking` or `sum_rising` writes.

    Args:
        stretches: those of all ranks.
        limits: the number of limits of a column.
    """

    def __init__(self, stretches: Stretches, limits: int) -> None:
        self.stretches, self.rows = stretches, limits

    def summed(self, rank: int, first: int) -> list[slice]:
        """The rows of texels of scratch `LIMITS` with the sums of each of a rank's stretches: those of all its strips.

        Args:
            rank: the rank.
            first: the rank's first own strip among the strips of its part.
        """
        rows = self.rows
        return [slice((first + each.start) * rows, (first + each.stop) * rows) for each in self.stretches.of(rank)]

    def sums(self, texels: Sequence[np.ndarray]) -> np.ndarray:
        """The sums of a rank's stretches, which it sends to the ranks that need them.

        Args:
            texels: for each stretch (strips * limits, columns, 2) uint32, the texels of scratch `LIMITS` of its strips.
        Returns: (stretches * limits, columns, 2) uint32: the gain and the cap of each stretch, for each limit.
        """
        found = [_joined(self._by_limit(each)[:: self._backward]) for each in texels]
        return np.concatenate(found).astype(np.uint32)

    def ahead(self, rank: int, sums: Sequence[np.ndarray]) -> np.ndarray:
        """The limits ahead of the foremost cells of a rank's part, for each column.

        Args:
            rank: the rank.
            sums: those of each rank, see `sums`.
        Returns: (limits, columns, 2) uint32, the first texels of scratch `LIMITS`: a limit, and 0.
        """
        functions, stretches = self._by_limit(np.concatenate(sums)), self.stretches
        limit = np.full(functions.shape[1:3], FULL if stretches.edges == "open" else 0, np.int64)
        if stretches.edges == "wrap":  # the largest limit that closes the ring; 0 if no cell has room
            ring = _joined(functions[number] for number in reversed(stretches.order))
            limit = np.where(ring[..., 0] > 0, ring[..., 1], 0)
        for number in reversed(stretches.ahead_of(rank)):
            limit = np.minimum(limit + functions[number, ..., 0], functions[number, ..., 1])
        return np.stack([limit, np.zeros_like(limit)], axis=-1).astype(np.uint32)

    @property
    def _backward(self) -> int:
        """The step from the front of a part of a column to its back."""
        return 1 if self.stretches.rises else -1

    def _by_limit(self, texels: np.ndarray) -> np.ndarray:
        """Texels as int64, (strips or stretches, limits, columns, 2)."""
        return texels.reshape(-1, self.rows, *texels.shape[1:]).astype(np.int64)


def _joined(functions: Iterable[np.ndarray]) -> np.ndarray:
    """The function of several pieces of columns, given from front to back, (limits, columns, 2) int64: gain and cap."""
    gain, cap = np.int64(0), np.int64(_UNLIMITED)
    for each in functions:
        cap = np.minimum(each[..., 1], cap + each[..., 0])
        gain = np.minimum(gain + each[..., 0], _UNLIMITED)
    return np.stack([gain, cap], axis=-1)
