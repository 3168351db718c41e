"""Workloads of rule ``atoms``."""

from __future__ import annotations

import numpy as np

from gpufluid.benchmark.workload import RUN_TICKS, Workload, noise, shafts, with_shafts
from gpufluid.world import World

_RULES = ("atoms",)


def _with_grain(world: World) -> World:
    """Draw a random grain for each atom. Returns the same world."""
    bare = world.solid | (world["material"] == 0)
    np.copyto(world["grain"], noise(world.width, world.height, 9, 256).astype(np.uint8), where=~bare)
    return world


def fill_at_random(world: World, names: tuple[str, ...]) -> World:
    """Fill each cell with one of the materials, drawn at random by position. Returns the same world."""
    numbers = np.array([world.materials[name] for name in names], np.uint8)
    world["material"][...] = numbers[noise(world.width, world.height, 0, len(names))]
    return _with_grain(world)


def _dense(width: int, height: int) -> World:
    world = World(height, width, _RULES, edges="wrap")
    return fill_at_random(world, ("empty", "sand", "sand", "oil", "steam"))


def _typical(width: int, height: int) -> World:
    return fill_at_random(World(height, width, _RULES), ("empty", "sand", "oil"))


def _settled(width: int, height: int) -> World:
    world = World(height, width, _RULES)
    world["material"][height // 2 :] = world.materials["oil"]
    world["material"][height - height // 4 :] = world.materials["sand"]
    return _with_grain(world)


def _sparse(width: int, height: int) -> World:
    world = with_shafts(World(height, width, _RULES), ["sand", "oil"], rate=1.0)
    drawn = noise(width, height, 0, 2)
    for number, (x, y, across, down) in enumerate(shafts(width, height)):
        inside = world["material"][y : y + down, x : x + across]
        inside[...] = drawn[y : y + down, x : x + across] * world.materials[("sand", "oil")[number % 2]]
    return _with_grain(world)


WORKLOADS = (
    Workload(
        "dense",
        "A torus in which sand and oil fall forever and steam rises through them; a fifth of the cells is empty.",
        _dense,
        dense=True,
    ),
    Workload(
        "typical",
        f"A third sand, a third oil, a third empty, at random: the first {RUN_TICKS} ticks while they settle.",
        _typical,
        run_ticks=RUN_TICKS,
    ),
    Workload("settled", "Oil on sand in the lower half, level and at rest.", _settled, at_rest=True),
    Workload("sparse", "Rain of sand and oil in four shafts, a hundredth of the cells; the rest is empty.", _sparse),
    Workload("empty", "No atoms.", lambda width, height: World(height, width, _RULES)),
)
