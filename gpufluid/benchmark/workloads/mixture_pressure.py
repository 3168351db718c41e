"""What rule ``pressure`` is measured in beside rule ``mixture``: the worlds of that rule, whose water is the liquid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gpufluid.benchmark.workload import Workload, noise, under
from gpufluid.benchmark.workloads import mixture
from gpufluid.core.fields import FULL
from gpufluid.world import World

_RULES = ("mixture", "pressure")

_ABOUT = {
    "dense": "A torus in which water falls for ever, in bodies of every size, and steam rises through it.",
    "typical": "Many small bodies of water become few.",
    "settled": "The water is one body.",
    "sparse": "Where the water lies it is one body.",
    "empty": "",
}


def _falling(width: int, height: int) -> World:
    world = World(height, width, _RULES, edges="wrap")
    for number, name in enumerate(("water", "steam")):
        drawn = noise(width, height, number, 7)
        world["mixture"][world.mixture[name]] = drawn.astype(world["mixture"].dtype) * (FULL // 8)
    return world


def _pressed(make: Callable[[int, int], World]) -> Callable[[int, int], World]:
    return lambda width, height: under(_RULES, make(width, height))


def _of(workload: Workload) -> Workload:
    """What both rules have for a workload of rule mixture."""
    about = _ABOUT[workload.name]
    if workload.dense:
        return replace(workload, about=about, make=_falling)
    return replace(workload, about=f"{workload.about} {about}".strip(), make=_pressed(workload.make))


WORKLOADS = tuple(_of(each) for each in mixture.WORKLOADS)
