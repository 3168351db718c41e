"""`EqualRanks`: processes that run the same program side by side, each with worlds of its own."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from gpufluid.cluster.pieces import receive_arrays, send_arrays
from gpufluid.cluster.ranks import agreeing

if TYPE_CHECKING:
    from mpi4py.MPI import Comm

Value = TypeVar("Value")


class EqualRanks:
    """The ranks of a communicator of MPI. All ranks call each method, in the same order.

    Args:
        comm: the communicator.
    """

    def __init__(self, comm: Comm) -> None:
        self._comm = comm

    @property
    def rank(self) -> int:
        """The number of this process, from 0."""
        return self._comm.rank

    @property
    def count(self) -> int:
        """The number of processes."""
        return self._comm.size

    def agreeing(self) -> AbstractContextManager[None]:
        """If a GpufluidError leaves the block on some ranks, raise one of these errors on all ranks."""
        return agreeing(self._comm)

    def from_first(self, value: Value) -> Value:
        """The value that rank 0 gives."""
        return self._comm.bcast(value)

    def joined(self, values: list[Value]) -> list[Value]:
        """The lists of all ranks, one after the other."""
        return [value for each in self._comm.allgather(values) for value in each]

    def brought(self, rank: int, arrays: Mapping[str, np.ndarray] | None) -> Mapping[str, np.ndarray] | None:
        """Bring the arrays of a rank to rank 0.

        Args:
            rank: the rank that has them.
            arrays: by name, each of any shape and type, on that rank; they are not read on the others.
        Returns: the arrays, of any shape and type, on rank 0; None on the others.
        """
        if self.rank == 0:
            return arrays if rank == 0 else receive_arrays(self._comm, rank)
        if self.rank == rank:
            assert arrays is not None
            send_arrays(self._comm, arrays, 0)
        return None
