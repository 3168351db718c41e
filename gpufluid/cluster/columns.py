"""Scans columns through the parts of all ranks, and so finds the state ahead of the part of each rank.

An atom falls or rises as far as the atoms ahead of it make room, through any number of rows. The scan of a stretch of a
column (`cluster.stretches`) is one word (``shaders/lib/scan.glsl``), and the scans of adjoining stretches can be joined
into one word. For each column and each of its stretches a rank sends the scan, and the word of the cell at the back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from gpufluid.cluster.stretches import Stretches
from gpufluid.rules.atoms import CONSTANTS

_CLEAR = CONSTANTS["clear"]
_HARD_NONE, _HARD_ATOM, _HARD_SOLID, _HARD_AMOUNT = (
    CONSTANTS[name] for name in ("hard_none", "hard_atom", "hard_solid", "hard_amount")
)

_KNOWN = 1 << 16


@dataclass(frozen=True, slots=True)
class _Ahead:
    """``Ahead`` of ``shaders/lib/scan.glsl`` for a cell of each column, as (columns,) int64: free cells, hardness."""

    free: np.ndarray
    hard: np.ndarray


@dataclass(frozen=True, slots=True)
class _Scan:
    """``Scan`` of ``shaders/lib/scan.glsl`` for a stretch of each column, as (columns,) int64 or bool."""

    gain: np.ndarray
    cap: np.ndarray
    known: np.ndarray
    ahead: _Ahead
    mover: np.ndarray

    @classmethod
    def of(cls, words: np.ndarray) -> Self:
        """The scans of ``scan_word`` in GLSL, (columns,) uint32."""
        words = words.astype(np.int64)
        high, low = words >> 8 & 0xFF, words & 0xFF
        return cls(high, low, words >> 16 == 1, _Ahead(low, high), words >> 17 == 1)

    def behind(self, ahead: _Ahead) -> _Ahead:
        """The state behind the stretch, from the state ahead of it: ``seen_through`` in GLSL."""
        free = ahead.free + self.gain
        rests = (ahead.free == 0) & (ahead.hard == _HARD_AMOUNT)
        hard = np.where(self.mover & rests, _HARD_ATOM, ahead.hard)
        return _Ahead(
            np.where(self.known, self.ahead.free, np.minimum(free, self.cap)),
            np.where(self.known, self.ahead.hard, np.where(free <= self.cap, hard, _HARD_NONE)),
        )

    def joined(self, farther: _Scan) -> _Scan:
        """The stretch together with the one ahead of it: ``longer_ahead`` in GLSL. No stretch is without cells."""
        through = self.behind(farther.ahead)
        cap = np.minimum(self.cap, farther.cap + self.gain)
        gain = np.minimum(self.gain + farther.gain, _CLEAR)
        bounded = (gain > cap) | (gain == _CLEAR)
        ahead = _Ahead(
            np.where(self.known | farther.known, through.free, cap),
            np.where(self.known | farther.known, through.hard, _HARD_NONE),
        )
        known = self.known | farther.known | bounded
        return _Scan(gain, cap, known, ahead, farther.mover)


class Columns:
    """The columns of atoms, in one direction. It joins the scans that `atoms.sum_falling` or `sum_rising` writes.

    Args:
        stretches: those of all ranks.
    """

    rows = 1
    """Rows of texels of a strip, and of what lies ahead."""

    def __init__(self, stretches: Stretches) -> None:
        self.stretches = stretches

    def summed(self, rank: int, first: int) -> list[slice]:  # noqa: ARG002
        """The rows of texels of scratch `SUMS` with the sums of each of a rank's stretches, one after the other."""
        return [slice(number, number + 1) for number in range(self.stretches.number(rank))]

    def words(self, rank: int, first: int) -> np.ndarray:
        """A rank's stretches as texels of scratch `STRETCHES` have them: (stretches,) uint32.

        Args:
            rank: the rank.
            first: the rank's first own strip among the strips of its part.
        """
        every = self.stretches.of(rank)
        backs = [each.stop - 1 if self.stretches.rises else each.start for each in every]
        words = [(each.stop - each.start) << 16 | first + back for each, back in zip(every, backs, strict=True)]
        return np.array(words, np.uint32)

    def sums(self, texels: Sequence[np.ndarray]) -> np.ndarray:
        """The sums of a rank's stretches, which it sends to the ranks that need them.

        Args:
            texels: for each stretch (1, columns, 2) uint32, texels of scratch `SUMS`.
        Returns: (stretches, columns, 2) uint32: the word of each stretch, and the word of the cell at its back.
        """
        return np.concatenate(texels)

    def ahead(self, rank: int, sums: Sequence[np.ndarray]) -> np.ndarray:
        """The state of the scan ahead of the foremost cells of a rank's part, for each column.

        Args:
            rank: the rank.
            sums: those of each rank, see `sums`.
        Returns: (1, columns, 2) uint32, texels of scratch `AHEAD`.
        """
        words = np.concatenate(sums)
        scans = [_Scan.of(each) for each in words[:, :, 0]]
        none = np.zeros(words.shape[1], np.int64)
        ahead = {"closed": _Ahead(none, none + _HARD_SOLID), "open": _Ahead(none + _CLEAR, none)}.get(
            self.stretches.edges
        )
        if ahead is None:  # a ring
            ring = _joined([scans[number] for number in self.stretches.order])
            ahead = _Ahead(np.where(ring.known, ring.ahead.free, 0), np.where(ring.known, ring.ahead.hard, _HARD_NONE))
        texels = np.zeros((1, words.shape[1], 2), np.uint32)
        if farther := self.stretches.ahead_of(rank):
            ahead = _joined([scans[number] for number in farther]).behind(ahead)
            texels[0, :, 1] = words[farther[0], :, 1]
        texels[0, :, 0] = ahead.hard << 8 | ahead.free
        return texels


def _joined(scans: Sequence[_Scan]) -> _Scan:
    """The scan of several stretches, from back to front."""
    found = scans[0]
    for scan in scans[1:]:
        found = found.joined(scan)
    return found
