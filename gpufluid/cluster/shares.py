"""Divides an axis of gravity's frame among ranks, and finds for each line of a halo the rank that computes it.

The lines of the axis along gravity are rows; those of the axis across it are columns. A share begins at a multiple of
`STRIP_ROWS` lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from gpufluid.core.errors import UsageError
from gpufluid.core.frame import Span
from gpufluid.rules import LINE_STRIP

STRIP_ROWS = LINE_STRIP
"""Lines of the strips into which an axis is divided. Each share has whole strips; only the last one can be shorter."""

Rows = Span
"""The first row of gravity's frame, and the one after the last."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Consecutive lines of one share that another share, or a picture, needs.

    Args:
        sender: the number of the share that has them.
        sent: these lines in the sender's part, halo included.
        received: these lines, counted from the first one that the receiver has, in its part or in a picture.
        whole: these lines in the whole world.
    """

    sender: int
    sent: Span
    received: Span
    whole: Span


@dataclass(frozen=True, slots=True)
class Shares:
    """The shares of an axis of a world.

    Args:
        own: by share: the lines of the whole world that its ranks compute.
        halos: by share: the lines of the halo, (before, after) its own.
    """

    own: tuple[Span, ...]
    halos: tuple[Span, ...]

    @classmethod
    def of(
        cls,
        lines: int,
        shares: int,
        depth: int,
        wrap: bool,
        strips_of_shares: Sequence[int] | None = None,
        *,
        has_halos: bool | None = None,
    ) -> Shares:
        """Divide an axis.

        Args:
            lines: of the whole world.
            shares: the number of shares, from 1 to the number of strips.
            depth: the lines of a halo on each side, at least 1. A halo ends at the edge of a world that is no torus; on
                a torus a line can occur several times in it.
            wrap: whether the world is a torus.
            strips_of_shares: the strips of each share, at least 1; None: as many for all, to within one.
            has_halos: whether shares have halos; None: if there are several.
        """
        before = [strips_in(lines) * share // shares for share in range(shares + 1)]
        if strips_of_shares is not None:
            before = [0, *accumulate(strips_of_shares)]
        own = tuple(pairwise(min(each * STRIP_ROWS, lines) for each in before))
        depth = depth if (shares > 1 if has_halos is None else has_halos) else 0
        halos = ((depth, depth) if wrap else (min(depth, first), min(depth, lines - end)) for first, end in own)
        return cls(own, tuple(halos))

    @property
    def is_divided(self) -> bool:
        """True if the lines go on beyond a share: in another share, or around a torus."""
        return self.halos[0] != (0, 0)

    @property
    def lines(self) -> int:
        """The number of lines of the whole world."""
        return self.own[-1][1]

    @property
    def strips(self) -> tuple[int, ...]:
        """The number of strips of each share."""
        return tuple(strips_in(end - first) for first, end in self.own)

    def part_of(self, share: int) -> Span:
        """The lines of a share, halo included; on a torus they may lie beyond the world."""
        (first, end), (before, after) = self.own[share], self.halos[share]
        return first - before, end + after

    def own_in_part(self, share: int) -> Span:
        """The own lines of a share in its part."""
        (first, end), before = self.own[share], self.halos[share][0]
        return before, before + end - first

    def spans_of(self, share: int) -> Iterator[tuple[Span, Span]]:
        """The lines of a share, halo included: lines of the world without a gap, and their place in the part."""
        first, end = self.part_of(share)
        line = first
        while line < end:
            whole = line % self.lines
            count = min(self.lines - whole, end - line)
            yield (whole, whole + count), (line - first, line - first + count)
            line += count

    def overlaps(self, needed: Span, begins: int) -> Iterator[Overlap]:
        """The shares that compute some lines, in their order.

        Args:
            needed: the lines, which may lie beyond a torus.
            begins: the line from which received lines are counted.
        """
        line, end = needed
        while line < end:
            whole = line % self.lines
            sender = next(number for number, own in enumerate(self.own) if whole < own[1])
            count, moved = min(self.own[sender][1] - whole, end - line), self.part_of(sender)[0]
            yield Overlap(
                sender,
                (whole - moved, whole - moved + count),
                (line - begins, line - begins + count),
                (whole, whole + count),
            )
            line += count

    def overlaps_of(self, share: int, needed: Span) -> Iterator[tuple[Overlap, bool]]:
        """The shares that compute the lines which a rank needs, and True for those that are the rank's own.

        Args:
            share: the number of the rank's share.
            needed: the lines, which may lie beyond a torus. On a torus they may have own lines a second time.
        """
        first, end = self.own[share]
        beside = (needed[0], min(first, needed[1])), (max(end, needed[0]), needed[1])
        own = max(first, needed[0]), min(end, needed[1])
        for lines, is_own in ((beside[0], False), (own, True), (beside[1], False)):
            for overlap in self.overlaps(lines, needed[0]):
                yield overlap, is_own


def strips_in(lines: int) -> int:
    """The number of strips of so many lines."""
    return -(-lines // STRIP_ROWS)


def check_shares(shares: int, lines: int, axis: str, wanted: str) -> None:
    """Raise UsageError if there are more shares than strips.

    Args:
        shares, lines: their numbers.
        axis: what the lines are, such as ``rows along gravity``.
        wanted: what the shares are, such as ``ranks``.
    """
    if shares > strips_in(lines):
        held = f"{lines} {axis} are {strips_in(lines)} strips of {STRIP_ROWS}"
        raise UsageError(f"{shares} {wanted}: {held}; expected at most {strips_in(lines)} {wanted}")
