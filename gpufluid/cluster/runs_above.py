"""`RunsAbove`: what goes on above the own rows of a rank, in each column, through the parts of any number of ranks.

Powder floats on liquid in stacks of any height, and one liquid lies on another at any height (rule ``pressure``). Their
weight counts. Each rank sums up the run of powder, or of liquid of one body, that goes on from the lowest of its own
rows upward. From the sums of all ranks with the same columns each finds the run that begins in the row above
its own ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.costs import Costs
from gpufluid.cluster.gathering import Gathering
from gpufluid.cluster.joined_sets import JoinedSets
from gpufluid.cluster.shares import Shares
from gpufluid.rules.pressure import HIGHEST, RUN_ABOVE_ROWS, RUNS

if TYPE_CHECKING:
    from mpi4py.MPI import Comm

_CELLS, _OPEN, _WEIGHT, _LABEL = range(4)


class RunsAbove:
    """The runs above the own rows of one rank.

    Args:
        sets: the bodies that lie in the parts of several ranks.
        comm: the communicator of the ranks with the same columns, from the first row of the grid on.
        costs: those of the rank.
        shares: the rows of these ranks.
        torus: whether the world is a torus.
    """

    def __init__(self, sets: JoinedSets, comm: Comm, costs: Costs, shares: Shares, torus: bool) -> None:
        self._sets, self._comm, self._torus = sets, comm, torus
        self._rows = [end - first for first, end in shares.own]
        self._gathering = Gathering(comm, costs, [sets.columns * 16] * comm.size)
        self._written = np.zeros((3, sets.columns), np.uint32)
        self._stacks = self._written  # those at the beginning of the last tick

    def share(self, *, liquid: bool) -> np.ndarray:
        """Send the sums of this rank's columns, and write the runs above its own rows.

        All ranks with the same columns call it.

        Args:
            liquid: whether runs of liquid count, whose bodies have been joined in this tick.
        Returns: the three rows of texels that are written, (3, columns) uint32; see scratch `HIGHEST`.
        """
        self._sets.wait_for_device()
        own = self._sets.read_rows(RUNS, (0, 1))[0]
        own[:, _LABEL] = np.where(own[:, _LABEL] != 0, self._sets.numbers_of(own[:, _LABEL]) + 1, 0)
        every = [each.reshape(own.shape).astype(np.int64) for each in self._gathering.every(own)]
        found = run_above(every, self._rows, self._comm.rank, self._torus, liquid=liquid)
        texels = np.stack([found[_CELLS] << 1 | found[_OPEN], found[_WEIGHT], self._sets.labels_of(found[_LABEL] - 1)])
        texels = texels.astype(np.uint32)
        if not np.array_equal(texels, self._written):
            self._written = texels
            for number, row in enumerate(texels):
                self._sets.write_rows(HIGHEST, self._sets.end_of_sets(HIGHEST) - RUN_ABOVE_ROWS + number, row[None])
        return texels

    def changed_stacks(self) -> np.ndarray:
        """As `share`, at the beginning of a tick.

        Returns: the columns whose stack above is not that at the beginning of the last tick, (columns,) int64.
        """
        before, self._stacks = self._stacks, self.share(liquid=False)
        return np.flatnonzero((before != self._stacks).any(axis=0))


def run_above(every: list[np.ndarray], rows: list[int], rank: int, torus: bool, *, liquid: bool) -> np.ndarray:
    """The runs that begin in the row above the own rows of a rank.

    Args:
        every: by rank with these columns, from the first row of the grid on: (columns, 4) int64: the cells of the run
            from its lowest own row upward, 1 if the cell above is empty, the sum of densities, and 1 plus the number of
            the body of a run of liquid, or 0.
        rows: by rank: the number of its own rows.
        rank: the number of the rank among these.
        torus: whether the world is a torus.
        liquid: whether runs of liquid count.
    Returns: (4, columns) int64, the same of the runs. A run that goes all around a torus has no empty cell above.
    """
    ranks, columns = len(rows), every[0].shape[0]
    found = np.zeros((4, columns), np.int64)
    goes_on, is_first = np.ones(columns, bool), True
    for step in range(1, ranks + 1):
        if not torus and rank - step < 0:
            break
        cells, is_open, weight, label = every[(rank - step) % ranks].T
        counts = cells > 0 if liquid else (cells > 0) & (label == 0)
        alike = goes_on & counts & (is_first | (label == found[_LABEL]))
        ends = goes_on & ~alike
        found[_OPEN] = np.where(ends, (cells == 0) & (is_open == 1), found[_OPEN])
        found[_CELLS] += np.where(alike, cells, 0)
        found[_WEIGHT] += np.where(alike, weight, 0)
        found[_LABEL] = np.where(alike, label, found[_LABEL])
        goes_on = alike & (cells == rows[(rank - step) % ranks])
        found[_OPEN] = np.where(alike & ~goes_on, is_open, found[_OPEN])
        is_first = False
    return found
