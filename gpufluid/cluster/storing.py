"""`RankWriters`: the ranks that share a world, as writers of its store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gpufluid.cluster.equal_ranks import EqualRanks
from gpufluid.cluster.pieces import receive_arrays, send_arrays
from gpufluid.io.shards import Fields
from gpufluid.world.pieces import Box, common

if TYPE_CHECKING:
    from mpi4py.MPI import Comm


class RankWriters(EqualRanks):
    """The ranks of a communicator, as writers of one store; see `Writers`.

    Args:
        comm: the communicator.
        own: the cells of each rank.
        gather: brings the fields of some cells to a rank; see `Writers.gathered`.
    """

    def __init__(self, comm: Comm, own: Sequence[Box], gather: Callable[[Box, int], Fields | None]) -> None:
        super().__init__(comm)
        self._own, self._gather = own, gather

    def holder_of(self, box: Box) -> int:
        """The rank that computes most of the cells of a rectangle; of several the first."""
        shared = [common(box, own) for own in self._own]
        cells = [0 if each is None else each[2] * each[3] for each in shared]
        return cells.index(max(cells))

    def gathered(self, box: Box, receiver: int) -> Fields | None:
        """All fields of a rectangle of cells on a rank; None on the others."""
        return self._gather(box, receiver)

    def sent(self, fields: Fields | None, sender: int, receiver: int) -> Fields | None:
        """Send fields from a rank to another one, or keep them; see `Writers.sent`."""
        if sender == receiver:
            return fields
        if self.rank == sender:
            assert fields is not None
            send_arrays(self._comm, fields, receiver)
        return receive_arrays(self._comm, sender) if self.rank == receiver else None
