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

# ruff: noqa: F403, F405

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from gpufluid.core.extras import without_libraries
from gpufluid.core.version import __version__

if TYPE_CHECKING:
    from gpufluid.public import *

__all__ = [
    "FULL",
    "NOT_SET",
    "Adding",
    "AtomLedger",
    "Batch",
    "Chance",
    "Domain",
    "Drain",
    "Emitter",
    "GpufluidError",
    "HeatLedger",
    "Laying",
    "Ledger",
    "Simulation",
    "Statistics",
    "World",
    "__version__",
    "cleared",
    "load",
    "oracle",
    "resized",
    "save",
    "to_xarray",
    "velocity",
    "with_rules",
]

if not TYPE_CHECKING:  # a type checker would take any name for one of the package's

    def __getattr__(name: str) -> object:
        """Import a module of the package, or all public names, when it or one of them is first used.

        The imports take most of a second. The command line ends cleanly after Ctrl-C only if they have not begun when
        it is imported itself.
        """
        if not name.startswith("_"):
            try:
                return import_module(f"gpufluid.{name}")
            except ModuleNotFoundError as error:
                if error.name != f"gpufluid.{name}":
                    raise
        if name not in __all__:
            raise AttributeError(f"module 'gpufluid' has no attribute {name!r}")
        try:
            public = import_module("gpufluid.public")
        except ModuleNotFoundError as error:
            error.add_note(f"gpufluid: {without_libraries(error)}")
            raise
        found = globals()[name] = getattr(public, name)
        return found

    def __dir__() -> list[str]:
        return sorted(__all__)
