"""Worlds of rule reactions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from support.worlds import random_atoms

from gpufluid import Simulation, World
from gpufluid.core.fields import TEMPERATURE_ONE
from gpufluid.world.ledger import Ledger

RULES = ("atoms", "heat", "reactions")


def reacting(height: int, width: int, **laws) -> World:
    """An empty world of rule reactions."""
    return World(height, width, RULES, **laws)


def random_reacting(height: int, width: int, *, hottest: int = 1500, luck: int = 0, **how) -> World:
    """Any material in any cell, as hot as so many degrees C, worn and aged; further as `random_atoms`."""
    world = random_atoms(height, width, rules=RULES, luck=luck, **how)
    rng, shape, matter = np.random.default_rng(luck + 1), (height, width), world["material"] != 0
    world["temperature"] = np.where(matter, rng.integers(-50, hottest, shape) * TEMPERATURE_ONE, 0)
    world["integrity"] = np.where(matter & (rng.random(shape) < 0.5), rng.integers(0, 256, shape), 0)
    age_by_chance(world, rng)
    return world


def age_by_chance(world: World, rng: np.random.Generator) -> None:
    """Give half of the atoms any age; but of what changes its state by heat, whose age is latent heat, it stays."""
    keeps, shape = world.materials.keeps_latent[world["material"]], world["material"].shape
    aged = (world["material"] != 0) & (rng.random(shape) < 0.5)
    world["age"] = np.where(keeps, world["age"], np.where(aged, rng.integers(0, 256, shape), 0))


def put(world: World, material: str, rows: slice, columns: slice, degrees: float = 20) -> None:
    """Lay a material of a temperature into a rectangle, at rest and whole, over whatever is there."""
    for name in ("velocity", "integrity", "age"):
        world[name][rows, columns] = 0
    world["material"][rows, columns] = world.materials[material]
    world["temperature"][rows, columns] = round(degrees * TEMPERATURE_ONE)


def counts(world: World) -> dict[str, int]:
    """The cells of each material that there are any of, solids too."""
    numbers = np.bincount(world["material"].ravel(), minlength=len(world.materials)).tolist()
    return {
        record.name: count for record, count in zip(world.materials, numbers, strict=True) if count and record.density
    }


def left(world: World, material: str) -> int:
    """Cells of a material."""
    return counts(world).get(material, 0)


def balanced(first: World, now: World) -> Mapping[str, int]:
    """What must be there now by the ledger: what was there at first, what has come and what has gone."""
    names = dict.fromkeys([*counts(first), *now.atoms])
    found = {name: counts(first).get(name, 0) + balance(now.atoms[name]) for name in names}
    return {name: count for name, count in found.items() if count}


def balance(ledger: Ledger) -> int:
    """What a ledger says has come, less what it says has gone."""
    return ledger.emitted + ledger.made - ledger.drained - ledger.left - ledger.used


def run(world: World, ticks: int) -> World:
    """The world after so many ticks."""
    with Simulation(world) as sim:
        sim.step(ticks)
        return sim.read()
