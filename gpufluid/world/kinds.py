"""The kinds of matter that a world can ever contain. They decide which passes run: see `Pass.needs`."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from gpufluid.core.fields import MATTER_ENTRIES
from gpufluid.matter.ports import Emitter
from gpufluid.rules import RULES, Laws, Pass

_CELLS_AT_ONCE = 1 << 20
"""The cells whose materials are looked at together: NumPy makes an index of 8 bytes for each."""


def materials_in(material: np.ndarray, emitters: Iterable[Emitter], laws: Laws) -> frozenset[int]:
    """The numbers of the materials in some cells, and of those that emitters emit; without 0.

    Args:
        material: the material of each cell, uint8 of any shape.
        emitters: those of the world.
        laws: the laws of the world.
    """
    there = np.zeros(256, bool)
    cells = material.reshape(-1)
    for first in range(0, cells.size, _CELLS_AT_ONCE):
        there[cells[first : first + _CELLS_AT_ONCE]] = True
    there[[laws.materials[emitter.material] for emitter in emitters]] = True
    return frozenset(np.flatnonzero(there).tolist()) - {0}


def possible_materials(laws: Laws, numbers: Collection[int]) -> frozenset[int]:
    """The numbers of some materials and of all that the rules of a world can ever make of them, without 0.

    Args:
        laws: the laws of the world.
        numbers: the numbers of the materials that the world has.
    """
    possible = frozenset(numbers) - {0}
    while not possible.issuperset(more := _made_of(laws, possible)):
        possible |= more
    return possible


def kinds_among(laws: Laws, numbers: Collection[int]) -> frozenset[tuple[str, str]]:
    """The kinds of matter, (rule, kind), among some materials and all that rules can make of them.

    Args:
        laws: the laws of the world.
        numbers: the numbers of the materials that the world has.
    """
    possible = possible_materials(laws, numbers)
    return frozenset(
        (rule, kind) for rule in laws.rules for kind, test in RULES[rule].kinds.items() if test(laws, possible)
    )


def _made_of(laws: Laws, numbers: Collection[int]) -> frozenset[int]:
    """The numbers of the materials that the rules of a world can make of some materials in one step, without 0."""
    made: set[int] = set()
    for rule in laws.rules:
        makes = RULES[rule].makes
        if makes is not None:
            made.update(makes(laws, numbers))
        elif "material" in RULES[rule].fields and any(map(_adds_atoms, RULES[rule].passes)):
            made.update(range(len(laws.materials)))
    return frozenset(made) - {0}


def _adds_atoms(pass_: Pass) -> bool:
    """True if a pass other than that of emitters counts new matter. The materials of emitters are known."""
    return not pass_.over.serves_ports and any(MATTER_ENTRIES.get(entry, 0) > 0 for entry in pass_.counts)
