"""Workloads of rule ``mixture``."""

from __future__ import annotations

import numpy as np

from gpufluid.benchmark.workload import RUN_TICKS, Workload, noise, shafts, with_shafts
from gpufluid.core.fields import FULL
from gpufluid.world import World

_RULES = ("mixture",)


def _dense(width: int, height: int) -> World:
    world = World(height, width, _RULES, edges="wrap")
    world["mixture"][world.mixture["sand"]] = noise(width, height, 0, 5).astype(np.int32) * (FULL // 8)
    world["mixture"][world.mixture["steam"]] = noise(width, height, 1, 3).astype(np.int32) * (FULL // 8)
    return world


def _typical(width: int, height: int) -> World:
    world = World(height, width, _RULES)
    drawn = noise(width, height, 0, 40)
    world["material"][drawn >= 37] = world.materials["wall"]
    for place, name in enumerate(("sand", "water", "lava", "steam", "ice")):
        held = world["mixture"][world.mixture[name]]
        held[(drawn >= 6 * place) & (drawn < 6 * place + 6)] = FULL
        held[drawn == 30 + place] = FULL // 2
    return world


def _settled(width: int, height: int) -> World:
    world = World(height, width, _RULES)
    world["mixture"][world.mixture["water"], height // 2 :] = FULL
    world["mixture"][world.mixture["sand"], height - height // 4 :] = FULL
    return world


def _sparse(width: int, height: int) -> World:
    world = with_shafts(World(height, width, _RULES), ["water", "sand"], rate=1.0)
    for number, (x, y, across, down) in enumerate(shafts(width, height)):
        layer = world.mixture[("water", "sand")[number % 2]]
        world["mixture"][layer, y : y + down, x : x + across] = FULL // 2
    return world


WORKLOADS = (
    Workload("dense", "A torus in which sand falls forever and steam rises through it.", _dense, dense=True),
    Workload(
        "typical",
        f"Cells of sand, water, lava, steam, ice, wall and empty cells at random: the first {RUN_TICKS} ticks.",
        _typical,
        run_ticks=RUN_TICKS,
    ),
    Workload(
        "settled", "Water in the lower half, sand with it in the lowest quarter, at rest.", _settled, at_rest=True
    ),
    Workload("sparse", "Rain of water and sand in four shafts, a hundredth of the cells; the rest is empty.", _sparse),
    Workload("empty", "All cells empty.", lambda width, height: World(height, width, _RULES)),
)
