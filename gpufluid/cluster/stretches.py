"""`Stretches`: the columns of a world, divided where the parts of ranks begin and end.

Some rules scan columns through any number of rows. The scan of the strips of a column, `STRIP_ROWS` cells each, can be
joined to that of a longer piece. Each rank divides its own strips into *stretches*, at the rows where the part of some
rank, halo included, ends in the direction of motion, and sends the joined scan of each stretch to all ranks. From these
a rank finds the state of the scan ahead of its part.
"""

from __future__ import annotations

from itertools import pairwise

from gpufluid.cluster.shares import STRIP_ROWS, Shares


class Stretches:
    """The stretches of all ranks, in one direction; each consists of whole strips.

    Args:
        shares: the rows of all ranks.
        edges: those of the world.
        rises: whether matter rises along the columns, not falls.
    """

    def __init__(self, shares: Shares, edges: str, rises: bool) -> None:
        self.edges, self.rises = edges, rises
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

    def number(self, rank: int) -> int:
        """The number of stretches of a rank's own strips."""
        return len(self._own[rank])

    def of(self, rank: int) -> list[slice]:
        """The strips of each stretch of a rank, counted from the first of its own strips."""
        first = self._own[rank][0][0]
        return [slice(begin - first, stop - first) for begin, stop in self._own[rank]]

    @property
    def order(self) -> list[int]:
        """The numbers of all stretches, those of rank 0 first, from the back of the world to its front."""
        every = [*range(sum(map(len, self._own)))]
        return every[::-1] if self.rises else every

    def ahead_of(self, rank: int) -> list[int]:
        """The numbers of the stretches ahead of a rank's part, from there to the front of the world.

        Empty if the part ends at the front of the world.
        """
        stretches, cut, order = [each for own in self._own for each in own], self._cuts[rank], self.order
        if self.rises:
            backs = [stretches[number][1] for number in order]
            cut = self._strips if self.edges == "wrap" and cut == 0 else cut
        else:
            backs = [stretches[number][0] for number in order]
            cut = 0 if self.edges == "wrap" and cut == self._strips else cut
        return order[backs.index(cut) :] if cut in backs else []


def _strips_before(row: int) -> int:
    """The number of strips that begin before a row."""
    return -(-row // STRIP_ROWS)
