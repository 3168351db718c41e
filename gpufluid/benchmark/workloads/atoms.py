"""What rule ``atoms`` is measured in."""

from __future__ import annotations

import numpy as np

from gpufluid.benchmark.workload import COURSE, Workload, noise, shafts, with_shafts
from gpufluid.world import World

_RULES = ("atoms",)


def _with_grain(world: World) -> World:
    """The same, each atom with a grain of its own."""
    bare = world.solid | (world["material"] == 0)
    np.copyto(world["grain"], noise(world.width, world.height, 9, 256).astype(np.uint8), where=~bare)
    return world


def of(world: World, names: tuple[str, ...]) -> World:
    """The same with one of these materials, drawn by place, in each cell."""
    numbers = np.array([world.materials[name] for name in names], np.uint8)
    world["material"][...] = numbers[noise(world.width, world.height, 0, len(names))]
    return _with_grain(world)


def _dense(width: int, height: int) -> World:
    world = World(height, width, _RULES, edges="wrap")
    return of(world, ("empty", "sand", "sand", "oil", "steam"))


def _typical(width: int, height: int) -> World:
    return of(World(height, width, _RULES), ("empty", "sand", "oil"))


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
        "A torus in which sand and oil fall for ever and steam rises through them; a fifth of all cells empty.",
        _dense,
        dense=True,
    ),
    Workload(
        "typical",
        f"A third sand, a third oil, a third empty, at random: the first {COURSE} ticks of their settling.",
        _typical,
        course=COURSE,
    ),
    Workload("settled", "Half a world of oil on sand, level and at rest.", _settled, at_rest=True),
    Workload(
        "sparse", "Four shafts, a hundredth of all cells, in which it rains sand and oil, and nothing else.", _sparse
    ),
    Workload("empty", "No atom anywhere.", lambda width, height: World(height, width, _RULES)),
)
