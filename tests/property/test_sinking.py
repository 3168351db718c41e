"""Of two materials that touch, the denser sinks through the lighter if one of them is a fluid; no other pair exchanges.

One world holds every ordered pair of the shipped materials that move: in each chamber one material fills the upper half
of a column one cell wide, and another the lower half, so that nothing but the passes `weigh` and `sink` moves an atom.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest
from support.atoms import atoms

from gpufluid import Simulation, World
from gpufluid.matter.materials import SHIPPED, Material, State

pytestmark = pytest.mark.usefixtures("device")

DEPTH = 3
"""Cells of each material in a chamber."""

TICKS = 96
"""Ticks in which all chambers are in order; measured: 64."""

PAIRS = tuple(permutations([each for each in SHIPPED if each.state >= State.POWDER], 2))
"""(upper, lower) material of each chamber."""

ACROSS = 40
"""Chambers in a row of chambers."""

Chamber = tuple[slice, int]
"""The cells of a chamber: its rows and its column."""


def chambers() -> Iterator[tuple[Material, Material, Chamber]]:
    """The upper and the lower material of each chamber, and its cells."""
    for number, (upper, lower) in enumerate(PAIRS):
        top = 1 + (number // ACROSS) * (2 * DEPTH + 1)
        yield upper, lower, (slice(top, top + 2 * DEPTH), 1 + number % ACROSS * 2)


def of_all_pairs() -> World:
    """The chambers, filled, with walls between."""
    world = atoms(1 + -(-len(PAIRS) // ACROSS) * (2 * DEPTH + 1), 1 + 2 * ACROSS)
    world["material"] = world.materials["wall"]
    for upper, lower, cells in chambers():
        world["material"][cells] = np.repeat([world.materials[upper.name], world.materials[lower.name]], DEPTH)
    world.draw_grain()
    return world


def exchange(upper: Material, lower: Material) -> bool:
    """The law: the upper material is denser, and one of the two is a fluid."""
    return upper.density > lower.density and max(upper.state, lower.state) >= State.LIQUID


def test_of_each_pair_of_materials_the_denser_sinks_and_no_other_pair_exchanges() -> None:
    before = of_all_pairs()
    start = before["material"].copy()
    with Simulation(before) as sim:
        for _ in range(0, TICKS, 16):
            sim.step(16)
            material = sim.read()["material"]
            kept = [
                (cells, f"{one.name} over {other.name}") for one, other, cells in chambers() if not exchange(one, other)
            ]
            assert not [pair for cells, pair in kept if (material[cells] != start[cells]).any()], f"tick {sim.tick}"
        material = sim.read()["material"]
    exchanged = [(cells, f"{one.name} over {other.name}") for one, other, cells in chambers() if exchange(one, other)]
    assert not [pair for cells, pair in exchanged if (material[cells] != start[cells][::-1]).any()]
