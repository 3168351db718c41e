"""Worlds in which walls melt and freeze among amounts, and the checks of their passes."""

from __future__ import annotations

import numpy as np
from support.following import follow_by_passes
from support.worlds import HEAT_TABLE, random_atoms

from gpufluid import FULL, Drain, Emitter, World
from gpufluid.core.fields import MASS_LIMIT
from gpufluid.rules.laws import amount_in
from gpufluid.world.laws import Edges

FLOWING = ("flow", "atoms", "heat")
REACTING = (*FLOWING, "reactions")
MIXED = ("mixture", "atoms", "heat")


def melting_world(rules: tuple[str, ...], edges: Edges, luck: int, filled: float = 0.5) -> World:
    """A world with atoms of all kinds near their thresholds, and amounts in the other cells."""
    ports = {
        "emitters": [
            Emitter((1, 2), (9, 3), material="lava", rate=0.5),
            Emitter((8, 8), (9, 9), material="water", rate=0.3),
        ],
        "drains": [Drain((3, 20), (12, 8), rate=0.3)],
    }
    world = random_atoms(34, 44, rules=rules, edges=edges, filled=filled, luck=luck, materials=HEAT_TABLE, **ports)
    rng = np.random.default_rng(luck)
    name = "mass" if "mass" in world.fields else "mixture"
    amounts = rng.integers(0, FULL, world[name].shape, endpoint=True)
    world[name] = np.where(rng.random(world[name].shape) < 0.4, 0, amounts)
    if name == "mass":
        world[name][5, 5:9] = MASS_LIMIT
    world[name][..., world.obstacles] = 0
    if "water_heat" in world.fields:
        world["water_heat"][amount_in(world.complete_arrays()) == 0] = 0
    world.validate()
    return world


def follow_walls(rules: tuple[str, ...], edges: Edges) -> None:
    """Every pass equals its twin in a world in which cells become solid and solid cells melt."""
    world = melting_world(rules, edges, luck=5)
    solid = world.solid.copy()
    follow_by_passes(world, 2)
    assert (solid & ~world.solid).any()
    assert (world.solid & ~solid).any()
