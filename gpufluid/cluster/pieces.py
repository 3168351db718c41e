"""Sends arrays from one rank to another in pieces: many libraries of MPI cannot send 2 GiB in one message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mpi4py.MPI import Comm

PIECE = 1 << 28
"""The most bytes of a message."""


def send_arrays(comm: Comm, arrays: Mapping[str, np.ndarray], receiver: int) -> None:
    """Send arrays to a rank, which calls `receive_arrays`.

    Args:
        comm: the communicator of both.
        arrays: the fields of some cells by name, each (height, width) or with more axes, of the field's type.
        receiver: the rank.
    """
    from mpi4py.MPI import BYTE

    comm.send([(name, array.shape, array.dtype) for name, array in arrays.items()], receiver)
    for array in arrays.values():
        for piece in _pieces(np.ascontiguousarray(array)):
            comm.Send([piece, BYTE], receiver)


def receive_arrays(comm: Comm, sender: int) -> dict[str, np.ndarray]:
    """The arrays that a rank sends by `send_arrays`.

    Returns: new arrays by name, each (height, width) or with more axes, of the field's type.
    """
    from mpi4py.MPI import BYTE

    arrays = {name: np.empty(shape, dtype) for name, shape, dtype in comm.recv(source=sender)}
    for array in arrays.values():
        for piece in _pieces(array):
            comm.Recv([piece, BYTE], sender)
    return arrays


def _pieces(array: np.ndarray) -> Iterator[np.ndarray]:
    """The memory of a contiguous array in pieces of at most `PIECE` bytes, (bytes,) uint8 each."""
    whole = array.reshape(-1).view(np.uint8)
    for first in range(0, whole.size, PIECE):
        yield whole[first : first + PIECE]
