"""Workloads of rule ``pressure`` with rule ``mixture``: those of rule ``mixture``, with water as the liquid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gpufluid.benchmark.workload import Workload, noise, with_rules
from gpufluid.benchmark.workloads import mixture
from gpufluid.core.fields import FULL
from gpufluid.world import World

_RULES = ("mixture", "pressure")

_ABOUT = {
    "dense": "A torus in which bodies of water of every size fall forever and steam rises through them.",
    "typical": "Many small bodies of water merge into a few.",
    "settled": "The water is one body.",
    "sparse": "The water in a shaft is one body.",
    "empty": "",
}


def _falling(width: int, height: int) -> World:
    world = World(height, width, _RULES, edges="wrap")
    for number, name in enumerate(("water", "steam")):
        drawn = noise(width, height, number, 7)
        world["mixture"][world.mixture[name]] = drawn.astype(world["mixture"].dtype) * (FULL // 8)
    return world


def _pressed(make: Callable[[int, int], World]) -> Callable[[int, int], World]:
    return lambda width, height: with_rules(_RULES, make(width, height))


def _of(workload: Workload) -> Workload:
    """The workload of both rules made from a workload of rule mixture."""
    about = _ABOUT[workload.name]
    if workload.dense:
        return replace(workload, about=about, make=_falling)
    return replace(workload, about=f"{workload.about} {about}".strip(), make=_pressed(workload.make))


WORKLOADS = tuple(_of(each) for each in mixture.WORKLOADS)
