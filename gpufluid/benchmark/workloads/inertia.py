"""Workloads of rule ``inertia``: those of rule ``flow``, with momentum."""

from __future__ import annotations

from dataclasses import replace

from gpufluid.benchmark.workload import Workload, with_rules
from gpufluid.benchmark.workloads import flow
from gpufluid.core.fields import FULL
from gpufluid.rules import with_requirements
from gpufluid.world import World

_RULES = with_requirements("inertia")


def _settled(width: int, height: int) -> World:
    world = World(height, width, _RULES)
    water, shelves = slice(height // 2, height - 1, 2), slice(height // 2 + 1, height, 2)
    world["mass"][water] = FULL // 2
    world["material"][shelves] = world.materials["wall"]
    return world


def _with_momentum(workload: Workload) -> Workload:
    if workload.at_rest:
        return replace(
            workload, about="Half-full cells on shelves in the lower half, level and at rest.", make=_settled
        )
    return replace(workload, make=lambda width, height: with_rules(_RULES, workload.make(width, height)))


WORKLOADS = tuple(_with_momentum(each) for each in flow.WORKLOADS)
