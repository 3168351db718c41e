"""One world over many processes, by MPI: each rank computes a rectangle of it. Needs the extra ``mpi``."""

from __future__ import annotations

from gpufluid.cluster.borders import Balance
from gpufluid.cluster.simulation import Simulation
from gpufluid.io.loading import WorldName

__all__ = ["Balance", "Simulation", "WorldName"]
