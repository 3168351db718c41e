"""Workloads of rule ``heat``: those of rule ``atoms``, with temperatures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gpufluid.benchmark.workload import Workload, noise, with_rules
from gpufluid.benchmark.workloads import atoms
from gpufluid.core.fields import TEMPERATURE_ONE
from gpufluid.world import World

_SPREAD = 100
"""Random temperatures are 0 to this, in degrees C: below the thresholds of all materials in these worlds."""


def _warm(make: Callable[[int, int], World], even: bool) -> Callable[[int, int], World]:
    """Wrap a workload's `make` to add rule heat: random temperatures, or (`even`) those of new atoms."""

    def warmed(width: int, height: int) -> World:
        world = with_rules(("atoms", "heat"), make(width, height))
        if not even:
            drawn = noise(width, height, 7, _SPREAD * TEMPERATURE_ONE)
            world["temperature"] = np.where(world["material"] == 0, 0, drawn)
        return world

    return warmed


WORKLOADS = tuple(
    replace(
        each,
        about=f"{each.about} {'All at ambient temperature.' if each.at_rest else 'Random temperatures.'}",
        make=_warm(each.make, each.at_rest or each.name == "empty"),
    )
    for each in atoms.WORKLOADS
    if isinstance(each, Workload)
)
