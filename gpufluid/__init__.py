"""gpufluid: fluids and falling matter as cellular automata in GPU compute shaders, exact to the last unit.

```python
import gpufluid

world = gpufluid.load("dam_break")
with gpufluid.Simulation(world) as simulation:
    simulation.step(100)
    after = simulation.read()          # NumPy arrays: after["mass"], after["material"]
    picture = simulation.frame()       # (height, width, 3) uint8
    assert simulation.digest() == gpufluid.oracle.step(world, 100).digest()
```
"""

from __future__ import annotations

from gpufluid import oracle
from gpufluid.core.errors import GpufluidError
from gpufluid.core.fields import FULL
from gpufluid.core.version import __version__
from gpufluid.io.loading import load
from gpufluid.io.snapshots import save
from gpufluid.matter.ports import Drain, Emitter, velocity
from gpufluid.runtime.simulation import Simulation
from gpufluid.world import Domain, World
from gpufluid.world.ledger import AtomLedger, HeatLedger, Ledger
from gpufluid.world.statistics import Statistics

__all__ = [
    "FULL",
    "AtomLedger",
    "Domain",
    "Drain",
    "Emitter",
    "GpufluidError",
    "HeatLedger",
    "Ledger",
    "Simulation",
    "Statistics",
    "World",
    "__version__",
    "load",
    "oracle",
    "save",
    "velocity",
]
