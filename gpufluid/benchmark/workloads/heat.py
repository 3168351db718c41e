"""What rule ``heat`` is measured in: the worlds of rule ``atoms``, beside which it runs, with temperatures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gpufluid.benchmark.workload import Workload, noise, under
from gpufluid.benchmark.workloads import atoms
from gpufluid.core.fields import TEMPERATURE_ONE
from gpufluid.world import World

_SPREAD = 100
"""Degrees C from 0 on, at random: below any threshold of what is in these worlds."""


def _warm(make: Callable[[int, int], World], even: bool) -> Callable[[int, int], World]:
    """The same world with temperatures, at random, or all as warm as the air."""

    def warmed(width: int, height: int) -> World:
        world = under(("atoms", "heat"), make(width, height))
        if not even:
            drawn = noise(width, height, 7, _SPREAD * TEMPERATURE_ONE)
            world["temperature"] = np.where(world["material"] == 0, 0, drawn)
        return world

    return warmed


WORKLOADS = tuple(
    replace(
        each,
        about=f"{each.about} {'All of it as warm as the air.' if each.at_rest else 'Temperatures at random.'}",
        make=_warm(each.make, each.at_rest or each.name == "empty"),
    )
    for each in atoms.WORKLOADS
    if isinstance(each, Workload)
)
