"""`LineSums`: the sums of the strips of columns, or of rows, which the ranks on the same lines send each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.changes import Receiver, Sender
from gpufluid.cluster.columns import Columns
from gpufluid.cluster.costs import Costs
from gpufluid.cluster.limits import Limits
from gpufluid.cluster.ranks import meet_before

if TYPE_CHECKING:
    from mpi4py.MPI import Comm


class LineSums:
    """The sums of a pass, for one direction: a rank sends its own, and finds from all the state ahead of its part.

    Args:
        scan: joins the sums.
        comm: the communicator of the ranks on the same lines, in the order of their shares.
        costs: those of the rank.
        lines: the number of columns, or of rows, of the rank's part.
    """

    def __init__(self, scan: Columns | Limits, comm: Comm, costs: Costs, lines: int) -> None:
        self._scan, self._comm, self._costs = scan, comm, costs
        sizes = [scan.stretches.number(rank) * scan.rows * lines * 8 for rank in range(comm.size)]
        self._sender, self._receivers = Sender(sizes[comm.rank]), [Receiver(size) for size in sizes]
        self._ahead: np.ndarray | None = None

    @property
    def texel_rows(self) -> int:
        """Rows of texels of a strip."""
        return self._scan.rows

    @property
    def rises(self) -> bool:
        """True if matter moves toward the first strip."""
        return self._scan.stretches.rises

    def exchanged(self, texels: np.ndarray) -> tuple[np.ndarray, Sequence[int]]:
        """Send the sums of own strips, and find the state ahead of the part. All ranks on the same lines call it.

        Args:
            texels: (strips, lines, 2) uint32, those of the pass, of the rank's own strips.
        Returns: (texels, lines, 2) uint32, the state ahead; and the lines, in ascending order, of which it has
            changed since the last call.
        """
        own = self._scan.sums(self._comm.rank, texels)
        message = self._sender.message(own.reshape(-1).view(np.uint8))
        self._costs.bytes_sent += message.nbytes
        with self._costs.waiting():
            meet_before(self._comm)
            messages = self._comm.allgather(message)
        before = self._ahead
        if before is not None and all(each.size == 1 for each in messages):
            return before, ()  # no rank's sums have changed
        every = [
            receiver.array(each).view(np.uint32).reshape(-1, *own.shape[1:])
            for receiver, each in zip(self._receivers, messages, strict=True)
        ]
        self._ahead = ahead = self._scan.ahead(self._comm.rank, every)
        return ahead, np.flatnonzero((ahead != before).any(axis=(0, 2))).tolist() if before is not None else ()
