"""When the borders between ranks move, and to where: so that no rank works much longer than others.

Tiles that sleep cost nothing, so the cells of one rank can have most of the work. Ranks measure for how long they work,
and all of them decide by the same figures. In a grid of ranks a border is that of a whole row of ranks, or of a whole
column: each is as busy as the busiest of its ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from gpufluid.cluster.grid import Strips

UNEVEN = 1.2
"""Borders move if a row or column of ranks works for more than so many times the mean of all."""

FIRST_TICKS, MOST_TICKS = 16, 1024
"""Ticks after which ranks first compare their work, and the most between two comparisons.

The first comparison, and the first after a move, count for nothing: shaders were compiled, and no tile slept yet.
"""

WORTH_TICKS = 1000
"""A move must save its own time in so many ticks."""

_FIRST_SECONDS = 0.5
"""The time that the first move is expected to take; later ones as long as the last."""


class Balance:
    """Decides when borders move. All ranks have one, give it the same figures, and so get the same answers."""

    def __init__(self) -> None:
        self._interval = self._left = FIRST_TICKS
        self._is_first = True
        self._seconds = _FIRST_SECONDS

    def due(self) -> bool:
        """Count a tick. Returns whether ranks compare their work before it."""
        self._left -= 1
        return self._left < 0

    def decide(self, strips: Strips, busy: np.ndarray) -> Strips | None:
        """Compare the work of all ranks.

        Args:
            strips: the strips of each column of ranks, and of each row of ranks.
            busy: (rows, columns) float64, the seconds that each rank has worked since the last comparison.
        Returns: the strips that they should have, of which those of rows or those of columns differ, whichever saves
            more; None: those that they have.
        """
        ticks, self._interval = self._interval, min(2 * self._interval, MOST_TICKS)
        self._left = self._interval - 1  # the tick before which ranks compare is the first of the next ones
        is_first, self._is_first = self._is_first, False
        if is_first:
            return None
        (across, saved_across), (along, saved_along) = (
            _better(of_axis, busy.max(axis=axis).tolist()) for axis, of_axis in enumerate(strips)
        )
        if max(saved_across, saved_along) / ticks * WORTH_TICKS <= self._seconds:
            return None
        return (across, strips[1]) if saved_across > saved_along else (strips[0], along)

    def refused(self) -> None:
        """Note that the borders could not move, because a rank lacks the memory: ranks compare rarely from now on."""
        self._interval, self._left = MOST_TICKS, MOST_TICKS - 1

    def moved(self, seconds: float) -> None:
        """Note that the borders have moved, and how long the slowest rank took for this."""
        self._seconds = seconds
        self._interval, self._left = FIRST_TICKS, FIRST_TICKS - 1
        self._is_first = True


def _better(strips: tuple[int, ...], busy: Sequence[float]) -> tuple[tuple[int, ...], float]:
    """Better strips for the rows or the columns of ranks, if their work is uneven, and the seconds that they save.

    Arguments as for `balanced`.
    """
    most, mean = max(busy), sum(busy) / len(busy)
    if most <= UNEVEN * mean:
        return strips, 0.0
    found = balanced(strips, busy)
    return found, most - max(_busy_with(found, strips, busy))


def balanced(strips: Sequence[int], busy: Sequence[float]) -> tuple[int, ...]:
    """Divide all strips anew, as if all strips of a rank had taken the same time. Each rank gets one at least.

    Args:
        strips: the strips of each rank, or of each row or column of ranks.
        busy: the seconds that each has worked.
    Returns: the strips of each, as many in all.
    """
    ranks, total = len(strips), sum(strips)
    before = np.concatenate([[0.0], np.cumsum(_seconds_of_strips(strips, busy))])
    ends = [0]
    for rank in range(1, ranks):
        distances = np.abs(before - before[-1] * rank / ranks)
        nearest = np.flatnonzero(distances == distances.min())  # several, where strips cost nothing
        ends.append(min(max(int(nearest[len(nearest) // 2]), ends[-1] + 1), total - ranks + rank))
    ends.append(total)
    return tuple(end - begin for begin, end in pairwise(ends))


def _seconds_of_strips(strips: Sequence[int], busy: Sequence[float]) -> np.ndarray:
    return np.repeat(np.divide(busy, strips), strips)


def _busy_with(found: Sequence[int], strips: Sequence[int], busy: Sequence[float]) -> list[float]:
    """The seconds that each rank would have worked with other strips."""
    ends = np.cumsum(found)[:-1]
    return [float(each.sum()) for each in np.split(_seconds_of_strips(strips, busy), ends)]
