"""Scans columns through the parts of all ranks, and so finds the state ahead of the part of each rank.

An atom falls or rises as far as the atoms ahead of it make room, through any number of rows. The scan of a strip of a
column is one word (``shaders/lib/scan.glsl``), and the scans of adjoining strips can be joined into one word. Each rank
divides its own strips into *stretches*, at the rows where the part of some rank, halo included, ends in the direction
of motion. For each column and each stretch it sends the joined scan, and the word of the cell at the back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np

from gpufluid.cluster.shares import STRIP_ROWS, Shares
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

    def words(self) -> np.ndarray:
        """The scans as ``scan_word`` in GLSL, (columns,) uint32."""
        known = _KNOWN | self.ahead.hard << 8 | self.ahead.free
        return np.where(self.known, known, self.mover * (1 << 17) | self.gain << 8 | self.cap).astype(np.uint32)

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
    """The stretches of all ranks, in one direction.

    Args:
        shares: the rows of all ranks. Each stretch consists of whole strips.
        edges: those of the world.
        rises: whether atoms rise along the columns, not fall.
    """

    def __init__(self, shares: Shares, edges: str, rises: bool) -> None:
        self._edges, self._rises = edges, rises
        rows = shares.own[-1][1]
        ends = [
            (first - before) if rises else (end + after)
            for (first, end), (before, after) in zip(shares.own, shares.halos, strict=True)
        ]
        self._cuts = [_strips_before(end % rows if edges == "wrap" else end) for end in ends]
        self._strips = _strips_before(rows)
        self._own = [
            [*pairwise(sorted({begin, stop, *(cut for cut in self._cuts if begin < cut < stop)}))]
            for begin, stop in ((_strips_before(first), _strips_before(end)) for first, end in shares.own)
        ]

    def stretches(self, rank: int) -> int:
        """The number of stretches of a rank's own strips."""
        return len(self._own[rank])

    def sums(self, rank: int, texels: np.ndarray) -> np.ndarray:
        """The sums of a rank's own strips, which it sends to all others.

        Args:
            rank: the rank.
            texels: (strips, columns, 2) uint32, the texels of scratch ``sums`` of its own strips.
        Returns: (stretches, columns, 2) uint32: the word of each stretch, and the word of the cell at its back.
        """
        first = self._own[rank][0][0]
        found = np.empty((len(self._own[rank]), *texels.shape[1:]), np.uint32)
        for number, (begin, stop) in enumerate(self._own[rank]):
            strips = texels[begin - first : stop - first]
            strips = strips[::-1] if self._rises else strips
            found[number, :, 0] = _joined([_Scan.of(each[:, 0]) for each in strips]).words()
            found[number, :, 1] = strips[0, :, 1]
        return found

    def ahead(self, rank: int, sums: Sequence[np.ndarray]) -> np.ndarray:
        """The state of the scan ahead of the foremost cells of a rank's part, for each column.

        Args:
            rank: the rank.
            sums: those of each rank, see `sums`.
        Returns: (1, columns, 2) uint32, texels of scratch `AHEAD`.
        """
        stretches = [each for own in self._own for each in own]
        words = np.concatenate(sums)
        scans = [_Scan.of(each) for each in words[:, :, 0]]
        cut, backs = self._cuts[rank], [begin for begin, _ in stretches]
        if self._rises:
            stretches, scans, words = stretches[::-1], scans[::-1], words[::-1]
            backs = [stop for _, stop in stretches]
            cut = self._strips if self._edges == "wrap" and cut == 0 else cut
        elif self._edges == "wrap" and cut == self._strips:
            cut = 0
        none = np.zeros(words.shape[1], np.int64)
        ahead = {"closed": _Ahead(none, none + _HARD_SOLID), "open": _Ahead(none + _CLEAR, none)}.get(self._edges)
        if ahead is None:  # a ring
            ring = _joined(scans)
            ahead = _Ahead(np.where(ring.known, ring.ahead.free, 0), np.where(ring.known, ring.ahead.hard, _HARD_NONE))
        texels = np.zeros((1, words.shape[1], 2), np.uint32)
        if cut in backs:  # else the part ends at the edge of the world
            place = backs.index(cut)
            ahead = _joined(scans[place:]).behind(ahead)
            texels[0, :, 1] = words[place, :, 1]
        texels[0, :, 0] = ahead.hard << 8 | ahead.free
        return texels


def _strips_before(row: int) -> int:
    """The number of strips that begin before a row."""
    return -(-row // STRIP_ROWS)


def _joined(scans: Sequence[_Scan]) -> _Scan:
    """The scan of several stretches, from back to front."""
    found = scans[0]
    for scan in scans[1:]:
        found = found.joined(scan)
    return found
