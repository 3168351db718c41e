"""What rule ``reactions`` is measured in: worlds of atoms with temperatures, in which much reacts, or nothing."""

from __future__ import annotations

from dataclasses import replace

from gpufluid.benchmark.workload import COURSE, Workload, under
from gpufluid.benchmark.workloads import atoms, heat
from gpufluid.matter.reactions import OTHER, SHIPPED, Reaction, ReactionTable
from gpufluid.rules import with_requirements
from gpufluid.world import World

_RULES = with_requirements("reactions")

_EXCHANGE = Reaction("sand and oil exchange their kinds", ("sand", "oil"), (OTHER, OTHER), chance=0.25)
"""What goes on for ever, and leaves as much of each."""


_ABOUT = {
    "dense": "In a quarter of all meetings of the two, sand and oil become each other.",
    "typical": f"Water, wood, fire, oil, acid, sand and room, a seventh each, at random: its first {COURSE} ticks.",
    "settled": "Half a world of oil on sand, level and at rest, as warm as the air; nothing in it reacts.",
    "sparse": "In a quarter of all meetings of the two, sand and oil become each other.",
    "empty": "No atom anywhere.",
}


def _burning(width: int, height: int) -> World:
    """Much that reacts with much."""
    matter = ("empty", "water", "wood", "fire", "oil", "acid", "sand")
    return under(_RULES, atoms.of(World(height, width, ("atoms",)), matter))


def _of(workload: Workload) -> Workload:
    """What rule reactions has for a workload of rule heat."""
    about = _ABOUT[workload.name]
    if workload.name == "typical":
        return replace(workload, about=about, make=_burning)
    exchanges = ReactionTable((_EXCHANGE, *SHIPPED)) if workload.name in ("dense", "sparse") else None
    about = f"{workload.about} {about}" if exchanges else about
    return replace(
        workload, about=about, make=lambda width, height: under(_RULES, workload.make(width, height), exchanges)
    )


WORKLOADS = tuple(_of(each) for each in heat.WORKLOADS)
