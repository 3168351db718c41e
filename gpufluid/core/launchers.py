"""The number of processes that a launcher of MPI, such as ``mpiexec``, has started together, and that of this one."""

from __future__ import annotations

import os

_VARIABLES = {
    "OMPI_COMM_WORLD_SIZE": "OMPI_COMM_WORLD_RANK",
    "PMI_SIZE": "PMI_RANK",
    "MV2_COMM_WORLD_SIZE": "MV2_COMM_WORLD_RANK",
    "SLURM_STEP_NUM_TASKS": "SLURM_PROCID",
}
"""The variables with the number of processes, and with that of this one.

They are those of Open MPI, of MPICH and Intel MPI, of MVAPICH, and of Slurm's ``srun``. The last are in the environment
of what a launcher of the others starts under Slurm, too, so those are asked first.
"""


def launched() -> tuple[int, int]:
    """(rank, ranks) of this process; (0, 1) without a launcher. Loads no MPI."""
    for size, rank in _VARIABLES.items():
        count, number = os.environ.get(size, ""), os.environ.get(rank, "")
        if count.isdecimal() and number.isdecimal():
            return int(number), int(count)
    return 0, 1
