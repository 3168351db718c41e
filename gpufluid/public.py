"""The names that users import from `gpufluid`, listed in its ``__all__``; imported when the first of them is used."""

# ruff: noqa: F401

from gpufluid import oracle
from gpufluid.core.errors import GpufluidError
from gpufluid.core.fields import FULL, NOT_SET
from gpufluid.io.loading import load
from gpufluid.io.snapshots import save
from gpufluid.io.xarrays import to_xarray
from gpufluid.matter.ports import Drain, Emitter, velocity
from gpufluid.runtime.batch import Batch
from gpufluid.runtime.showing import draw_world as _draw_world
from gpufluid.runtime.simulation import Simulation
from gpufluid.scene.strokes import Adding, Chance, Laying
from gpufluid.world import Domain, World
from gpufluid.world.in_notebooks import draw_by as _draw_by
from gpufluid.world.ledger import AtomLedger, HeatLedger, Ledger
from gpufluid.world.reshaping import cleared, resized, with_rules
from gpufluid.world.statistics import Statistics

_draw_by(_draw_world)
