"""Workloads of rule ``flow``."""

from __future__ import annotations

import numpy as np

from gpufluid.benchmark.workload import RUN_TICKS, Workload, noise, with_shafts
from gpufluid.core.fields import FULL
from gpufluid.world import World

_RULES = ("flow",)


def _dense(width: int, height: int) -> World:
    world = World(height, width, _RULES, edges="wrap")
    wall = noise(width, height, 0, 10) == 0
    world["material"][wall] = world.materials["wall"]
    np.multiply(noise(width, height, 1, 1 << 16), FULL >> 16, out=world["mass"], where=~wall)
    return world


def _typical(width: int, height: int) -> World:
    world = World(height, width, _RULES)
    drawn = noise(width, height, 0, 30)
    world["material"][drawn >= 27] = world.materials["wall"]
    world["mass"][drawn < 9] = FULL
    world["mass"][(drawn >= 9) & (drawn < 18)] = FULL // 2
    return world


def _settled(width: int, height: int) -> World:
    world = World(height, width, _RULES)
    fixed, depth = world.fixed("flow"), np.arange(height - height // 2)
    world["mass"][height // 2 :] = (fixed["max_mass"] + fixed["max_compress"] * depth)[:, None]
    return world


def _sparse(width: int, height: int) -> World:
    world = with_shafts(World(height, width, _RULES), ["water"], rate=1.0)
    inside = np.zeros((height, width), bool)
    for emitter, drain in zip(world.emitters, world.drains, strict=True):
        rows, columns = emitter.slices
        inside[rows.start : drain.slices[0].stop, columns] = True
    world["mass"][inside] = FULL // 2
    return world


WORKLOADS = (
    Workload("dense", "A torus in which water falls forever past walls in a tenth of the cells.", _dense, dense=True),
    Workload(
        "typical",
        f"Full, half-full, dry and wall cells at random: the first {RUN_TICKS} ticks while they settle.",
        _typical,
        run_ticks=RUN_TICKS,
    ),
    Workload("settled", "Water in the lower half, at rest under its own pressure.", _settled, at_rest=True),
    Workload("sparse", "Rain in four shafts, a hundredth of the cells; the rest is dry.", _sparse),
    Workload("empty", "No water.", lambda width, height: World(height, width, _RULES)),
)
