"""Rule heat on the GPU against its NumPy twin, bit for bit, after every pass of every tick.

Its passes: `conduct`, `transition`; and those of rule atoms, which take the temperatures along.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.worlds import HEAT_LAWS, assert_equal, atom_worlds, random_atoms

from gpufluid import Drain, Emitter, Simulation, World, oracle
from gpufluid.laws import EDGES, Edges
from gpufluid.moves import moves, origins
from gpufluid.rules import RULES

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


def follow_by_passes(world: World, ticks: int, variant: str | None = None) -> None:
    """Run both, a pass at a time: all that can be read of them agrees. ``world`` ends as the oracle's state.

    Moves are kept only because programs that keep them are compiled for `follow_by_ticks`.
    """
    with Simulation(world, trace=True, variant=variant) as sim:
        for _ in range(ticks):
            for call in sim.calls():
                sim.run(call)
                if not call.pass_.scouts:
                    oracle.apply(world, call)
                assert_equal(sim, world)
            world.tick += 1
            sim.tick += 1


def follow_by_ticks(world: World, ticks: int, variant: str | None = None) -> None:
    """Run both, a tick at a time, each atom's move kept."""
    with Simulation(world, trace=True, variant=variant) as sim:
        assert_equal(sim, world)
        for _ in range(ticks):
            world.scratch["tag"] = origins(world.height, world.width)
            sim.step()
            oracle.tick(world)
            assert_equal(sim, world)
            wanted = moves(world.scratch["tag"].astype(np.uint32), world["material"], world.edges == "wrap")
            np.testing.assert_array_equal(sim.moves(), wanted)


@settings(max_examples=20)
@given(world=atom_worlds(rules=RULES_OF_HEAT), ticks=st.integers(1, 2), variant=variants)
def test_every_pass_equals_its_twin(world: World, ticks: int, variant: str) -> None:
    follow_by_passes(world, ticks, variant)


@settings(max_examples=20)
@given(world=atom_worlds(rules=RULES_OF_HEAT), ticks=st.integers(1, 4), variant=variants)
def test_every_tick_equals_its_twin(world: World, ticks: int, variant: str) -> None:
    follow_by_ticks(world, ticks, variant)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("laws", HEAT_LAWS, ids=lambda laws: f"{laws['edges']}-{laws['gravity']}")
def test_worlds_of_several_tiles_with_ports(laws: Mapping[str, Any], variant: str) -> None:
    world = random_atoms(40, 70, rules=RULES_OF_HEAT, filled=0.5, luck=3, **laws, **PORTS)
    world.validate()
    follow_by_ticks(world, 4, variant)
    world.validate()
    assert world.heat.emitted * world.heat.drained * world.heat.bound != 0
    assert (world.heat.air != 0) == (world.parameters["heat"]["air"] > 0)
    assert (world.heat.left != 0) == (world.edges == "open")


@every_edge
def test_a_whole_hot_block_equals_its_twin_at_the_ends_of_the_scale(edges: Edges) -> None:
    """Side by side the hottest and the coldest there is, all of the best conductor: nothing passes the ends."""
    world = World(34, 34, RULES_OF_HEAT, edges=edges)
    world["material"] = world.materials["mercury"]
    checks = np.indices((34, 34)).sum(axis=0) % 2
    world["temperature"] = np.where(checks == 0, -273 * 8, 4000 * 8)
    for _ in range(3):
        follow_by_passes(world, 1)
        world.validate()
