"""Workloads of rule ``pressure`` with rule ``atoms``: those of rule ``atoms``, with oil as the liquid.

``tools/measure_pressure.py`` measures bodies that are hard to label, such as a spiral.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gpufluid.benchmark.workload import Workload, with_rules
from gpufluid.benchmark.workloads import atoms
from gpufluid.rules import with_requirements
from gpufluid.world import World

_ABOUT = {
    "dense": "Falling bodies of oil of every size.",
    "typical": "Many small bodies of oil merge into one.",
    "settled": "The oil is one body.",
    "sparse": "The oil in a shaft is one body.",
    "empty": "",
}


def _pressed(make: Callable[[int, int], World]) -> Callable[[int, int], World]:
    return lambda width, height: with_rules(with_requirements("pressure"), make(width, height))


WORKLOADS = tuple(
    replace(each, about=f"{each.about} {_ABOUT[each.name]}".strip(), make=_pressed(each.make))
    for each in atoms.WORKLOADS
    if isinstance(each, Workload)
)
