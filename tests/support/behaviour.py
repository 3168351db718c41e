"""Small worlds of atoms and what is read off them, for the tests of how atoms behave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpufluid import Emitter, Simulation, World


def box(height: int, width: int, emitters: Sequence[Emitter] = (), **laws: Any) -> World:
    """An empty world of atoms."""
    return World(height, width, ("atoms",), emitters=emitters, **laws)


def at(world: World, material: str) -> np.ndarray:
    """(height, width) bool: where a material is."""
    return world["material"] == world.materials[material]


def after(world: World, ticks: int) -> World:
    """The world so many ticks later."""
    with Simulation(world) as sim:
        sim.step(ticks)
        return sim.read()
