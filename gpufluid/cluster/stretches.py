"""`Stretches`: the columns of a world, divided where the parts of ranks begin and end.

Some rules scan columns through any number of rows. Each rank divides its own strips, of `STRIP_ROWS` cells, into
*stretches*, at the rows where the part of some rank, halo included, ends in the direction of motion. It sends the scan
of each stretch to the ranks behind it, which join these scans to find the state ahead of their parts. Strips that lie
ahead of no part belong to no stretch.
"""

from __future__ import annotations

from functools import cached_property
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
        self._first = [_strips_before(first) for first, _ in shares.own]
        cuts = {*map(_strips_before, (end for own in shares.own for end in own)), *self._cuts}
        every = [*filter(self._is_ahead, pairwise(sorted(cuts)))]
        self._own = [
            [each for each in every if _strips_before(first) <= each[0] < _strips_before(end)]
            for first, end in shares.own
        ]

    def _is_ahead(self, stretch: tuple[int, int]) -> bool:
        """True if a stretch, given by its first strip and the one after its last, lies ahead of some part."""
        if self.edges == "wrap":
            return True
        return stretch[1] <= max(self._cuts) if self.rises else stretch[0] >= min(self._cuts)

    def number(self, rank: int) -> int:
        """The number of stretches of a rank's own strips."""
        return len(self._own[rank])

    def of(self, rank: int) -> list[slice]:
        """The strips of each stretch of a rank, counted from the first of its own strips."""
        first = self._first[rank]
        return [slice(begin - first, stop - first) for begin, stop in self._own[rank]]

    def sources(self, rank: int) -> list[int]:
        """The ranks whose stretches a rank needs, in ascending order; the rank itself may be among them."""
        needed = self.order if self.edges == "wrap" else self.ahead_of(rank)
        return sorted({self._owners[number] for number in needed})

    def targets(self, rank: int) -> list[int]:
        """The ranks that need some stretch of a rank, in ascending order; the rank itself may be among them."""
        own = [place for place, number in enumerate(self.order) if self._owners[number] == rank]
        if not own or self.edges == "wrap":
            return [*range(len(self._own))] if own else []
        places = [self._place_ahead(other) for other in range(len(self._own))]
        return [other for other, place in enumerate(places) if place is not None and place <= own[-1]]

    @cached_property
    def order(self) -> list[int]:
        """The numbers of all stretches, those of rank 0 first, from the back of the world to its front."""
        every = [*range(sum(map(len, self._own)))]
        return every[::-1] if self.rises else every

    def ahead_of(self, rank: int) -> list[int]:
        """The numbers of the stretches ahead of a rank's part, from there to the front of the world.

        Empty if the part ends at the front of the world.
        """
        place = self._place_ahead(rank)
        return [] if place is None else self.order[place:]

    def _place_ahead(self, rank: int) -> int | None:
        """The place in `order` of the first stretch ahead of a rank's part; None: there is none."""
        cut, front, back = self._cuts[rank], *((0, self._strips) if self.rises else (self._strips, 0))
        return self._places.get(back if self.edges == "wrap" and cut == front else cut)

    @cached_property
    def _owners(self) -> list[int]:
        """The rank of each stretch."""
        return [owner for owner, own in enumerate(self._own) for _ in own]

    @cached_property
    def _places(self) -> dict[int, int]:
        """The place in `order` of each stretch, by the row of strips at its back."""
        stretches = [each for own in self._own for each in own]
        return {stretches[number][int(self.rises)]: place for place, number in enumerate(self.order)}


def _strips_before(row: int) -> int:
    """The number of strips that begin before a row."""
    return -(-row // STRIP_ROWS)
