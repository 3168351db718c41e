"""The kinds of edges: ``wrap`` is a torus, ``open`` acts as a drain, ``closed`` as a wall."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.worlds import PARAMETERS, worlds

from gpufluid import Drain, Simulation, World

pytestmark = pytest.mark.usefixtures("device")

ONCE_A_TICK = [given for given in PARAMETERS if "substeps" not in given]


def surrounded(world: World, material: str, edges: str) -> World:
    """A copy of a world with a border of one cell of a material; a border of empty cells is drained."""
    height, width = world.height + 2, world.width + 2
    sides = [((0, 0), (width, 1)), ((0, height - 1), (width, 1)), ((0, 0), (1, height)), ((width - 1, 0), (1, height))]
    larger = World(
        height,
        width,
        rules=("flow",),
        edges=edges,
        tick=world.tick,
        parameters=world.parameters,
        drains=[Drain(at, size) for at, size in sides] if material == "empty" else [],
    )
    larger["material"] = world.materials[material]
    for name in world.fields:
        larger[name][1:-1, 1:-1] = world[name]
    return larger


def run(world: World, ticks: int) -> World:
    with Simulation(world) as sim:
        sim.step(ticks)
        return sim.read()


@given(world=worlds(edges=("wrap",), most_ports=0), rows=st.integers(0, 40), columns=st.integers(0, 40))
def test_a_torus_is_invariant_under_translation(world: World, rows: int, columns: int) -> None:
    rolled = world.copy()
    for name in world.fields:
        rolled[name] = np.roll(world[name], (rows, columns), (0, 1))
    expected = np.roll(run(world, 8)["mass"], (rows, columns), (0, 1))
    np.testing.assert_array_equal(run(rolled, 8)["mass"], expected)


@given(world=worlds(edges=("closed",), most_ports=0), outer=st.sampled_from(("closed", "open", "wrap")))
def test_closed_edges_are_walls(world: World, outer: str) -> None:
    walled = run(surrounded(world, "wall", outer), 8)
    np.testing.assert_array_equal(run(world, 8)["mass"], walled["mass"][1:-1, 1:-1])
    assert walled.ledger.left == 0


@given(
    world=worlds(edges=("open",), parameters=ONCE_A_TICK, most_ports=0),
    outer=st.sampled_from(("closed", "open", "wrap")),
)
def test_an_open_edge_equals_a_drain_beyond_the_edge(world: World, outer: str) -> None:
    after, brink = run(world, 8), run(surrounded(world, "empty", outer), 8)
    np.testing.assert_array_equal(after["mass"], brink["mass"][1:-1, 1:-1])
    assert after.ledger.left == brink.ledger.drained
    assert brink.ledger.left == 0
