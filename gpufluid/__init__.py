"""gpufluid: fluids and falling matter as cellular automata in GPU compute shaders, exact to the last unit."""

from __future__ import annotations

from gpufluid import oracle
from gpufluid.cell import FULL
from gpufluid.emitters import Drain, Emitter
from gpufluid.errors import GpufluidError
from gpufluid.simulation import Simulation
from gpufluid.world import Ledger, World

__version__ = "0.1.0"
