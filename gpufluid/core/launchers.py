"""What the launcher of MPI, such as ``mpiexec``, has told this process: how many were started, and which it is."""

from __future__ import annotations

import os

_VARIABLES = {
    "OMPI_COMM_WORLD_SIZE": "OMPI_COMM_WORLD_RANK",
    "PMI_SIZE": "PMI_RANK",
    "MV2_COMM_WORLD_SIZE": "MV2_COMM_WORLD_RANK",
}
"""The variables of Open MPI, of MPICH and Intel MPI, and of MVAPICH: the number of processes, and that of this one."""


def launched() -> tuple[int, int]:
    """(rank, ranks) of this process; (0, 1) without a launcher. Loads no MPI."""
    for size, rank in _VARIABLES.items():
        count, number = os.environ.get(size, ""), os.environ.get(rank, "")
        if count.isdecimal() and number.isdecimal():
            return int(number), int(count)
    return 0, 1
