"""The NumPy twin of rule ``walkers``; it can be imported once the rule is registered."""

from __future__ import annotations

import numpy as np
from support.walkers import MOST

from gpufluid.matter.materials import State
from gpufluid.oracle import Tally
from gpufluid.oracle.state import load_material, load_steps, store_steps
from gpufluid.rules import Call
from gpufluid.world import World
from gpufluid.world.ledger import Ledger


def walk(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Raise the counter of each atom that can move by one stride."""
    steps = load_steps(world).astype(np.int64)
    mobile = world.materials.column("state")[load_material(world)] >= State.POWDER
    after = np.where(mobile, np.minimum(steps + world.fixed("walkers")["stride"], MOST), steps)
    store_steps(world, after)
    return Tally(steps=Ledger(made=int((after - steps).sum())))
