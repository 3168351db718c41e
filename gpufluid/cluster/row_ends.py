"""`RowEnds`: the fluid beside the rows of pieces of rule ``collapse``, through the parts of any number of ranks.

A row of a piece weighs less by the density of the fluid beside both of its ends, or of that beyond an overhang. Each
rank finds, for each of its rows, what is seen from both ends of its own columns, as scratch `ROW_ENDS` says. From that
of all ranks with the same rows each finds what is seen beyond its own columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.costs import Costs
from gpufluid.cluster.gathering import Gathering
from gpufluid.cluster.joined_sets import JoinedSets
from gpufluid.core.frame import Span
from gpufluid.rules.collapse import GOES_ON, NOT_OPEN, ROW_ENDS

if TYPE_CHECKING:
    from mpi4py.MPI import Comm


class RowEnds:
    """The fluid beside rows of pieces, beyond the own columns of one rank.

    Args:
        sets: the pieces that lie in the parts of several ranks.
        comm: the communicator of the ranks with the same rows, from the first column of the grid on.
        costs: those of the rank.
        own: the own rows in the rank's part.
        torus: whether the world is a torus.
    """

    def __init__(self, sets: JoinedSets, comm: Comm, costs: Costs, own: Span, torus: bool) -> None:
        self._sets, self._comm, self._own, self._torus = sets, comm, slice(*own), torus
        self._gathering = Gathering(comm, costs, [2 * (own[1] - own[0]) * 8] * comm.size)

    def share(self) -> None:
        """Send what this rank sees, and write what is seen beyond its own columns.

        All ranks with the same rows call it.
        """
        self._sets.wait_for_device()
        texels = self._sets.read_rows(ROW_ENDS, (0, 2))
        own = np.ascontiguousarray(texels[:, self._own])
        every = [each.reshape(own.shape) for each in self._gathering.every(own)]
        texels[:, self._own] = row_ends_beyond(every, self._comm.rank, self._torus)
        self._sets.write_rows(ROW_ENDS, 0, texels)


def row_ends_beyond(every: Sequence[np.ndarray], rank: int, torus: bool) -> np.ndarray:
    """The fluid beside rows of pieces that go on beyond the own columns of a rank.

    Args:
        every: by rank with these rows, from the first column of the grid on: (2, rows, 2) uint32, the texels of scratch
            `ROW_ENDS` that it has written.
        rank: the number of the rank among these.
        torus: whether the world is a torus.
    Returns: (2, rows, 2) uint32, to the right and to the left. Beside a row that closes around a torus is no fluid.
    """
    found = np.zeros_like(every[0])
    for number, step in enumerate((1, -1)):
        beyond = [rank + step * count for count in range(1, len(every) + 1)]
        for other in reversed(beyond):
            if torus or 0 <= other < len(every):
                seen = every[other % len(every)][number]
                takes = (seen[:, 0] & GOES_ON != 0) & (found[number, :, 0] & NOT_OPEN == 0)
                seen = seen & np.array([~GOES_ON & 0xFFFFFFFF, 0xFFFFFFFF], np.uint32)
                found[number] = np.where(takes[:, None], found[number], seen)
    return found
