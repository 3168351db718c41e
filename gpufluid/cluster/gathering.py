"""`Gathering`: an array of each rank, which all ranks send to all others again and again; only changes are sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.changes import Receiver, Sender
from gpufluid.cluster.costs import Costs
from gpufluid.cluster.ranks import meet_before

if TYPE_CHECKING:
    from mpi4py.MPI import Comm


class Gathering:
    """The arrays of the ranks of a communicator.

    Args:
        comm: the communicator.
        costs: those of the rank.
        sizes: by rank: the bytes of its array.
    """

    def __init__(self, comm: Comm, costs: Costs, sizes: Sequence[int]) -> None:
        self._comm, self._costs = comm, costs
        self._sender, self._receivers = Sender(sizes[comm.rank]), [Receiver(size) for size in sizes]

    def every(self, own: np.ndarray) -> list[np.ndarray]:
        """Send the array of this rank. All ranks call it.

        Args:
            own: contiguous, uint32 of any shape.
        Returns: by rank its array, (words,) uint32, which the next call overwrites.
        """
        message = self._sender.message(own.reshape(-1).view(np.uint8))
        self._costs.bytes_sent += message.nbytes
        with self._costs.waiting():
            meet_before(self._comm)
            messages = self._comm.allgather(message)
        return [receiver.array(each).view(np.uint32) for receiver, each in zip(self._receivers, messages, strict=True)]
