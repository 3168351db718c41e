"""Workloads of rule ``reactions``: those of rule ``heat``, in which many atoms react, or none."""

from __future__ import annotations

from dataclasses import replace

from gpufluid.benchmark.workload import RUN_TICKS, Workload, with_rules
from gpufluid.benchmark.workloads import atoms, heat
from gpufluid.matter.reactions import OTHER, SHIPPED, Reaction, ReactionTable
from gpufluid.rules import with_requirements
from gpufluid.world import World

_RULES = with_requirements("reactions")

_EXCHANGE = Reaction("sand and oil exchange their kinds", ("sand", "oil"), (OTHER, OTHER), chance=0.25)
"""A reaction that never ends, because it keeps the amounts of both materials."""

_ABOUT = {
    "dense": "Sand and oil in contact exchange their materials with chance 1/4.",
    "typical": f"Water, wood, fire, oil, acid, sand and empty cells, a seventh each: the first {RUN_TICKS} ticks.",
    "settled": "Oil on sand in the lower half, level, at rest and at ambient temperature; no atom reacts.",
    "sparse": "Sand and oil in contact exchange their materials with chance 1/4.",
    "empty": "No atoms.",
}


def _burning(width: int, height: int) -> World:
    """A random mix of materials, most of which react with each other."""
    matter = ("empty", "water", "wood", "fire", "oil", "acid", "sand")
    return with_rules(_RULES, atoms.fill_at_random(World(height, width, ("atoms",)), matter))


def _of(workload: Workload) -> Workload:
    """The workload of rule reactions made from a workload of rule heat."""
    about = _ABOUT[workload.name]
    if workload.name == "typical":
        return replace(workload, about=about, make=_burning)
    exchanges = ReactionTable((_EXCHANGE, *SHIPPED)) if workload.name in ("dense", "sparse") else None
    about = f"{workload.about} {about}" if exchanges else about
    return replace(
        workload, about=about, make=lambda width, height: with_rules(_RULES, workload.make(width, height), exchanges)
    )


WORKLOADS = tuple(_of(each) for each in heat.WORKLOADS)
