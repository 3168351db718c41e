"""`LineSums`: the sums of the stretches of columns, or of rows, which the ranks on the same lines send each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.changes import UNCHANGED, Receiver, Sender
from gpufluid.cluster.columns import Columns
from gpufluid.cluster.costs import Costs
from gpufluid.cluster.limits import Limits
from gpufluid.cluster.ranks import wait_for

if TYPE_CHECKING:
    from mpi4py.MPI import Comm


class LineSums:
    """The sums of a pass, for one direction: a rank sends its own, and finds from others the state ahead of its part.

    Args:
        scan: joins the sums.
        comm: the communicator of the ranks on the same lines, in the order of their shares.
        costs: those of the rank.
        lines: the number of columns, or of rows, of the rank's part.
        first_strip: the rank's first own strip among the strips of its part.
    """

    def __init__(self, scan: Columns | Limits, comm: Comm, costs: Costs, lines: int, first_strip: int) -> None:
        self._scan, self._comm, self._costs, self._first = scan, comm, costs, first_strip
        stretches, own = scan.stretches, comm.rank
        self._shapes = [(stretches.number(rank) * scan.rows, lines, 2) for rank in range(comm.size)]
        sizes = [int(np.prod(shape)) * 4 for shape in self._shapes]
        self._sender = Sender(sizes[own])
        self._receivers = {rank: Receiver(sizes[rank]) for rank in stretches.sources(own) if rank != own}
        self._targets = [rank for rank in stretches.targets(own) if rank != own]
        self._own = np.zeros(self._shapes[own], np.uint32)
        self._ahead: np.ndarray | None = None

    @property
    def is_at_end(self) -> bool:
        """True if the world ends ahead of this rank's lines, so that atoms at rest there stay at rest."""
        stretches = self._scan.stretches
        last = 0 if stretches.rises else self._comm.size - 1
        return isinstance(self._scan, Columns) and stretches.edges != "wrap" and self._comm.rank == last

    @property
    def summed(self) -> list[slice]:
        """The rows of texels with the sums of each own stretch, which the pass has written."""
        return self._scan.summed(self._comm.rank, self._first)

    @property
    def words(self) -> np.ndarray:
        """The own stretches that the pass sums up as one, (stretches,) uint32; none if it sums up each strip.

        `Columns.words` describes them.
        """
        scan = self._scan
        return scan.words(self._comm.rank, self._first) if isinstance(scan, Columns) else np.zeros(0, np.uint32)

    @property
    def rises(self) -> bool:
        """True if matter moves toward the first strip."""
        return self._scan.stretches.rises

    def exchanged(self, texels: Sequence[np.ndarray]) -> tuple[np.ndarray, Sequence[int]]:
        """Send the sums of own stretches, and find the state ahead of the part. All ranks on the same lines call it.

        Args:
            texels: for each own stretch the texels of `summed`, (rows, lines, 2) uint32 each; empty if they have not
                changed since the last call.
        Returns: (texels, lines, 2) uint32, the state ahead; and the lines, in ascending order, of which it has
            changed since the last call.
        """
        message = UNCHANGED
        if texels:
            self._own = self._scan.sums(texels)
            message = self._sender.message(self._own.reshape(-1).view(np.uint8))
        messages = self._sent(message)
        before = self._ahead
        if before is not None and all(each.size == 1 for each in (message, *messages)):
            return before, ()  # no rank's sums have changed
        every = [np.zeros(shape, np.uint32) for shape in self._shapes]  # of ranks that are no sources
        every[self._comm.rank] = self._own
        for (rank, receiver), each in zip(self._receivers.items(), messages, strict=True):
            every[rank] = receiver.array(each).view(np.uint32).reshape(self._shapes[rank])
        self._ahead = ahead = self._scan.ahead(self._comm.rank, every)
        return ahead, np.flatnonzero((ahead != before).any(axis=(0, 2))).tolist() if before is not None else ()

    def _sent(self, message: np.ndarray) -> list[np.ndarray]:
        """Send a message to the ranks that need it. Returns those of its sources, (bytes,) uint8 each."""
        from mpi4py.MPI import BYTE, Status

        buffers = [np.empty(receiver.longest, np.uint8) for receiver in self._receivers.values()]
        requests = [self._comm.Irecv([words, BYTE], rank) for rank, words in zip(self._receivers, buffers, strict=True)]
        requests += [self._comm.Isend([message, BYTE], rank) for rank in self._targets]
        self._costs.bytes_sent += message.nbytes if self._targets else 0
        statuses = [Status() for _ in requests]
        with self._costs.waiting():
            wait_for(requests, statuses)
        return [words[: status.Get_count(BYTE)] for words, status in zip(buffers, statuses, strict=False)]
