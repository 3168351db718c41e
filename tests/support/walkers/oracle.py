"""The NumPy twin of rule ``walkers``."""

from __future__ import annotations

import numpy as np
from support.walkers import MOST

from gpufluid.matter.materials import State
from gpufluid.oracle import Tally
from gpufluid.rules import Call
from gpufluid.world import World
from gpufluid.world.ledger import Ledger


def walk(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Raise the counter of each atom that can move by one stride."""
    steps = world["steps"].astype(np.int64)
    mobile = world.materials.column("state")[world["material"]] >= State.POWDER
    after = np.where(mobile, np.minimum(steps + world.fixed("walkers")["stride"], MOST), steps)
    world["steps"] = after
    return Tally(steps=Ledger(made=int((after - steps).sum())))
