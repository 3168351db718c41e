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
    """A random world: any material, temperature, integrity and age in each cell; arguments as `random_atoms`."""
    world = random_atoms(height, width, rules=RULES, luck=luck, **how)
    rng, shape, matter = np.random.default_rng(luck + 1), (height, width), world["material"] != 0
    world["temperature"] = np.where(matter, rng.integers(-50, hottest, shape) * TEMPERATURE_ONE, 0)
    world["integrity"] = np.where(matter & (rng.random(shape) < 0.5), rng.integers(0, 256, shape), 0)
    age_by_chance(world, rng)
    return world


def age_by_chance(world: World, rng: np.random.Generator) -> None:
    """Give half of the atoms a random age, except atoms that change their state by heat: their age is latent heat."""
    keeps, shape = world.materials.keeps_latent[world["material"]], world["material"].shape
    aged = (world["material"] != 0) & (rng.random(shape) < 0.5)
    world["age"] = np.where(keeps, world["age"], np.where(aged, rng.integers(0, 256, shape), 0))


def put(world: World, material: str, rows: slice, columns: slice, degrees: float = 20) -> None:
    """Fill a rectangle with a material at rest, with a temperature and full integrity."""
    for name in ("velocity", "integrity", "age"):
        world[name][rows, columns] = 0
    world["material"][rows, columns] = world.materials[material]
    world["temperature"][rows, columns] = round(degrees * TEMPERATURE_ONE)


def counts(world: World) -> dict[str, int]:
    """The number of cells of each material that occurs, solids included."""
    numbers = np.bincount(world["material"].ravel(), minlength=len(world.materials)).tolist()
    return {
        record.name: count for record, count in zip(world.materials, numbers, strict=True) if count and record.density
    }


def left(world: World, material: str) -> int:
    """The number of cells of a material."""
    return counts(world).get(material, 0)


def balanced(first: World, now: World) -> Mapping[str, int]:
    """The contents that a world must have by its ledger: first contents, plus entries in, less entries out."""
    names = dict.fromkeys([*counts(first), *now.atoms])
    found = {name: counts(first).get(name, 0) + balance(now.atoms[name]) for name in names}
    return {name: count for name, count in found.items() if count}


def balance(ledger: Ledger) -> int:
    """The sum of a ledger's entries with their signs."""
    return ledger.emitted + ledger.made - ledger.drained - ledger.left - ledger.used


def run(world: World, ticks: int) -> World:
    """The world after a number of ticks."""
    with Simulation(world) as sim:
        sim.step(ticks)
        return sim.read()
