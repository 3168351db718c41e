"""Divides the rows of a world among ranks, and finds for each row of a halo the rank that computes it.

Rows are those of gravity's frame. Each rank has whole rows, so a scan along a row stays within a rank. A rank's share
begins at a multiple of `STRIP_ROWS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from gpufluid.core.errors import UsageError
from gpufluid.rules import LINE_STRIP

STRIP_ROWS = LINE_STRIP
"""Rows of the strips into which a world is divided. Each rank has whole strips; only the last one can be shorter."""

Rows = tuple[int, int]
"""The first row of gravity's frame, and the one after the last."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """Rows that one rank computes and another needs, in its halo or for a picture.

    Args:
        sender, receiver: the ranks.
        sent: these rows in the frame of the sender's part, halo included.
        received: these rows among those that the receiver has with them: of its part, halo included, or of a picture.
        whole: the first of these rows in the frame of the whole world.
    """

    sender: int
    receiver: int
    sent: Rows
    received: Rows
    whole: int


@dataclass(frozen=True, slots=True)
class Shares:
    """The rows of all ranks.

    Args:
        own: by rank: the rows of the whole world that it computes.
        halos: by rank: the rows of its halo, (before, after) its own.
        crossings: all crossings of halos, in an order that is the same for all ranks.
    """

    own: tuple[Rows, ...]
    halos: tuple[Rows, ...]
    crossings: tuple[Crossing, ...]

    @classmethod
    def of(cls, rows: int, ranks: int, depth: int, wrap: bool, strips_of_ranks: Sequence[int] | None = None) -> Shares:
        """Divide a world.

        Args:
            rows: of the whole world.
            ranks: the number of ranks, at least 1.
            depth: the rows of a halo on each side, at least 1. A halo ends at the edge of a world that is no torus; on
                a torus a row can occur several times in it. A single rank has no halo.
            wrap: whether the world is a torus.
            strips_of_ranks: the strips of each rank, at least 1; None: as many for all, to within one.
        Raises: UsageError: more ranks than strips.
        """
        strips = -(-rows // STRIP_ROWS)
        if ranks > strips:
            held = f"{rows} rows along gravity are {strips} strips of {STRIP_ROWS}"
            raise UsageError(f"{ranks} ranks: {held}; expected at most {strips} ranks")
        before = [strips * rank // ranks for rank in range(ranks + 1)]
        if strips_of_ranks is not None:
            before = [0, *accumulate(strips_of_ranks)]
        ends = [min(each * STRIP_ROWS, rows) for each in before]
        own = tuple(pairwise(ends))
        halos = tuple(
            (depth, depth) if wrap else (min(depth, first), min(depth, rows - end))
            for first, end in (own if ranks > 1 else ())
        ) or ((0, 0),)
        crossings: list[Crossing] = []
        for rank, ((first, end), (rows_before, after)) in enumerate(zip(own, halos, strict=True)):
            beside = (*range(first - rows_before, first), *range(end, end + after))
            crossings += _crossings(rank, beside, first - rows_before, own, halos)
        return cls(own, halos, tuple(crossings))

    @property
    def strips(self) -> tuple[int, ...]:
        """The number of strips of each rank."""
        return tuple(-(-(end - first) // STRIP_ROWS) for first, end in self.own)

    def crossings_to(self, needed: Sequence[Rows | None]) -> list[Crossing]:
        """The crossings that bring to each rank the rows that it needs beside its own.

        A rank of a torus may be sender and receiver of a crossing. Received rows are counted from the first one needed.

        Args:
            needed: by rank: the rows of the whole world, which may lie beyond a torus; None: it needs none.
        """
        found: list[Crossing] = []
        for rank, rows in enumerate(needed):
            if rows is not None:
                first, end = self.own[rank]
                beside = (*range(rows[0], min(first, rows[1])), *range(max(end, rows[0]), rows[1]))
                found += _crossings(rank, beside, rows[0], self.own, self.halos)
        return found

    def rows_of(self, rank: int) -> Rows:
        """The rows of a rank's part, halo included; on a torus they may lie beyond the world."""
        (first, end), (before, after) = self.own[rank], self.halos[rank]
        return first - before, end + after

    def spans_of(self, rank: int) -> Iterator[tuple[Rows, Rows]]:
        """The rows of a rank's part, halo included: rows of the world without a gap, and their place in the part."""
        rows, (first, end) = self.own[-1][1], self.rows_of(rank)
        row = first
        while row < end:
            whole = row % rows
            count = min(rows - whole, end - row)
            yield (whole, whole + count), (row - first, row - first + count)
            row += count

    def moves_to(self, other: Shares) -> list[Crossing]:
        """The rows of each rank's part, halo included, in another division, and who computes them in this one.

        A rank may be sender and receiver of a crossing. Sent rows are those of the sender's part in this division,
        received ones those of the receiver's part in the other.
        """
        found: list[Crossing] = []
        for rank, ((first, end), (before, after)) in enumerate(zip(other.own, other.halos, strict=True)):
            found += _crossings(rank, range(first - before, end + after), first - before, self.own, self.halos)
        return found


def _crossings(
    receiver: int, needed: Iterable[int], first: int, own: tuple[Rows, ...], halos: tuple[Rows, ...]
) -> list[Crossing]:
    """The crossings that bring rows to a rank; adjacent rows from one sender form one crossing.

    Args:
        receiver: the rank.
        needed: the rows, which may lie beyond a torus.
        first: the first row of the receiver's part.
        own, halos: as in `Shares`, of the senders.
    """
    rows = own[-1][1]
    found: list[Crossing] = []
    for row in needed:
        whole, place = row % rows, row - first
        sender = next(rank for rank, (begin, stop) in enumerate(own) if begin <= whole < stop)
        sent = whole - own[sender][0] + halos[sender][0]
        last = found[-1] if found else None
        if last is not None and (last.sender, last.sent[1], last.received[1]) == (sender, sent, place):
            found[-1] = Crossing(sender, receiver, (last.sent[0], sent + 1), (last.received[0], place + 1), last.whole)
        else:
            found.append(Crossing(sender, receiver, (sent, sent + 1), (place, place + 1), whole))
    return found
