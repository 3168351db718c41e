"""What rule ``pressure`` is measured in: the worlds of rule ``atoms``, beside which it runs; their oil is the liquid.

Bodies that are hard to label, a spiral and the like, are measured by ``tools/measure_pressure.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gpufluid.benchmark.workload import Workload, under
from gpufluid.benchmark.workloads import atoms
from gpufluid.rules import with_requirements
from gpufluid.world import World

_ABOUT = {
    "dense": "Bodies of oil of every size, all of them falling.",
    "typical": "Many small bodies of oil become one.",
    "settled": "The oil is one body.",
    "sparse": "Where the oil lies it is one body.",
    "empty": "",
}


def _pressed(make: Callable[[int, int], World]) -> Callable[[int, int], World]:
    return lambda width, height: under(with_requirements("pressure"), make(width, height))


WORKLOADS = tuple(
    replace(each, about=f"{each.about} {_ABOUT[each.name]}".strip(), make=_pressed(each.make))
    for each in atoms.WORKLOADS
    if isinstance(each, Workload)
)
