"""Rule heat on the GPU against its NumPy twin, bit for bit, after every pass of every tick.

Its passes: `conduct`, `transition`; and the passes of rule atoms, which move the temperatures. `change_water` has work
only beside rule flow: see tests/property/test_warm_water.py and test_boiling_water.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.following import follow_by_passes, follow_by_ticks
from support.selection import crossed, examples, mostly_long
from support.worlds import atom_worlds, laws_of, random_atoms

from gpufluid import Drain, Emitter, World
from gpufluid.rules import RULES
from gpufluid.world.laws import EDGES, Edges

pytestmark = pytest.mark.usefixtures("device")

RULES_OF_HEAT = ("atoms", "heat")
every_edge = pytest.mark.parametrize("edges", EDGES)
VARIANTS = [each.name for each in RULES["heat"].variants]
variants = st.sampled_from(VARIANTS)

PORTS = {
    "emitters": [
        Emitter((2, 3), (9, 2), material="water", velocity=(5.0, -7.0), scatter=2.0, temperature=-100.0),
        Emitter((20, 10), (3, 3), material="lava", rate=0.5),
    ],
    "drains": [Drain((4, 20), (12, 3), rate=0.5)],
}


@examples(8)
@given(world=atom_worlds(rules=RULES_OF_HEAT), ticks=st.integers(1, 2), variant=variants)
def test_every_pass_equals_its_twin(world: World, ticks: int, variant: str) -> None:
    follow_by_passes(world, ticks, trace=True, variant=variant)


@examples(8)
@given(world=atom_worlds(rules=RULES_OF_HEAT), ticks=st.integers(1, 4), variant=variants)
def test_every_tick_equals_its_twin(world: World, ticks: int, variant: str) -> None:
    follow_by_ticks(world, ticks, trace=True, variant=variant)


@pytest.mark.long("seconds of compilation for each edge and gravity; random worlds have ports, too")
@crossed(most=1, together=1, laws=laws_of(RULES_OF_HEAT)[::3], variant=VARIANTS)
def test_worlds_of_several_tiles_with_ports_equal_their_twins(laws: Mapping[str, Any], variant: str) -> None:
    world = random_atoms(40, 70, rules=RULES_OF_HEAT, filled=0.5, luck=3, **laws, **PORTS)
    world.validate()
    follow_by_ticks(world, 4, trace=True, variant=variant)
    world.validate()
    assert world.heat.emitted * world.heat.drained * world.heat.bound != 0
    assert (world.heat.air != 0) == (world.parameters["heat"]["air"] > 0)
    assert (world.heat.left != 0) == (world.edges == "open")


@pytest.mark.parametrize("edges", mostly_long(EDGES, "closed", why="the same at another edge"))
def test_the_hottest_and_coldest_atoms_equal_their_twins_and_stay_on_the_scale(edges: Edges) -> None:
    """The hottest and the coldest atoms side by side, of the best conductor: no temperature exceeds the scale."""
    world = World(34, 34, RULES_OF_HEAT, edges=edges)
    world["material"] = world.materials["mercury"]
    checks = np.indices((34, 34)).sum(axis=0) % 2
    world["temperature"] = np.where(checks == 0, -273 * 8, 4000 * 8)
    for _ in range(3):
        follow_by_passes(world, 1, trace=True)
        world.validate()
