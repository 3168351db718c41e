"""Law 2 for rule atoms: no atom is made, lost or changed; atoms that enter or leave are counted."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from support.selection import crossed, mostly_long
from support.worlds import random_atoms

from gpufluid import Drain, Emitter, Simulation, World, oracle
from gpufluid.matter.materials import SHIPPED, State
from gpufluid.world.ledger import Ledger

pytestmark = pytest.mark.usefixtures("device")

PORTS = {
    "emitters": [
        Emitter((4, 3), (3, 1), material="water", velocity=(2.0, -3.0), scatter=1.0),
        Emitter((20, 5), (2, 2), material="sand", rate=0.5),
        Emitter((28, 25), (4, 1), material="methane", velocity=(-1.0, 0.0), start=10, until=900),
    ],
    "drains": [Drain((10, 28), (9, 2), rate=0.3), Drain((0, 0), (2, 40), start=100)],
}


def balance(ledger: Ledger) -> int:
    return ledger.emitted - ledger.drained - ledger.left


def expected_census(first: World, now: World) -> Mapping[str, int]:
    """The expected number of atoms by material: the first number, plus atoms that entered, minus atoms that left."""
    names = dict.fromkeys([*first.census(), *now.atoms])
    counts = {name: first.census().get(name, 0) + balance(now.atoms[name]) for name in names}
    return {name: count for name, count in counts.items() if count}


@pytest.mark.long("thousands of ticks")
@crossed(edges=["closed", "wrap"], gravity=["down", "off"])
def test_every_atom_is_kept_over_thousands_of_ticks(edges: str, gravity: str) -> None:
    world = random_atoms(40, 42, edges=edges, gravity=gravity, luck=1)
    census = world.census()
    assert set(census) == {record.name for record in SHIPPED if record.state is not State.EMPTY}
    with Simulation(world) as sim:
        for _ in range(5):
            sim.step(400)
            after = sim.read()
            assert after.census() == census
            np.testing.assert_array_equal(after["material"][world.solid], world["material"][world.solid])
            assert not after.atoms


@pytest.mark.parametrize(
    "edges", mostly_long(["closed", "open", "wrap"], why="1,500 ticks; the next test follows each atom")
)
def test_the_ledger_of_every_material_balances(edges: str) -> None:
    world = random_atoms(40, 42, edges=edges, luck=2, **PORTS)
    with Simulation(world) as sim:
        for ticks in (1, 19, 180, 1300):
            sim.step(ticks)
            after = sim.read()
            assert after.census() == expected_census(world, after)
    emitted, drained = (
        {name for name in after.atoms if getattr(after.atoms[name], way)} for way in ("emitted", "drained")
    )
    assert emitted == {"water", "sand", "methane"}
    assert drained >= emitted
    assert any(after.atoms[name].left for name in after.atoms) == (edges == "open")


@pytest.mark.parametrize(
    "edges",
    mostly_long(
        ["closed", "open", "wrap"], "open", why="the oracle alone, 200 ticks, at an edge that lets nothing leave"
    ),
)
def test_every_atom_keeps_its_tag_material_and_grain(edges: str) -> None:
    """Every atom carries a tag, because counts alone would not show two atoms that exchanged their materials."""
    world = random_atoms(16, 18, edges=edges, luck=3)
    tags = np.arange(1, world["material"].size + 1, dtype=np.int32).reshape(world["material"].shape)
    world.scratch["tag"] = np.where(world["material"] == 0, 0, tags)
    after, left = world, 0
    for _ in range(10):
        after = oracle.step(after, 20)
        here = after.scratch["tag"] > 0
        np.testing.assert_array_equal(here, after["material"] > 0)
        found = after.scratch["tag"][here]
        assert len(np.unique(found)) == len(found)
        for name in ("material", "grain"):
            np.testing.assert_array_equal(after[name][here], world[name].ravel()[found - 1])
        gone = np.setdiff1d(world.scratch["tag"], found)
        left = sum(after.atoms[name].left for name in after.atoms)
        assert len(gone[gone > 0]) == left
    assert (left > 0) == (edges == "open")
    assert (after.scratch["tag"] != world.scratch["tag"]).any()
