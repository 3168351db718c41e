"""Laws of rule mixture: conservation, no overfilled cell, mirror symmetry, and rest of flows without chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.following import step_until_settled
from support.mixtures import LAWS, account, assert_mirrored, mirrored, mixture_worlds, random_mixture
from support.selection import crossed, examples

from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.matter.mixtures import SHIPPED, MixtureTable
from gpufluid.world.laws import EDGES, Edges

pytestmark = pytest.mark.usefixtures("device")


@examples(15)
@given(world=mixture_worlds(), ticks=st.integers(1, 40))
def test_the_ledger_balances_and_no_cell_is_overfilled(world: World, ticks: int) -> None:
    with Simulation(world) as sim:
        sim.step(ticks)
        after = sim.read()
    after.validate()  # 0 to 1 of each material; at most 1 of all together if they exclude each other
    assert account(world, after) == after.contents()
    if world.edges != "open":
        assert not any(ledger.left for ledger in after.amounts.values())


def test_every_entry_of_the_ledger_is_counted() -> None:
    """Water that falls over lava and an open edge, with an emitter and a drain: every entry of the ledger occurs."""
    ports = {
        "emitters": [Emitter((4, 0), (3, 1), rate=0.5), Emitter((2, 9), material="lava")],
        "drains": [Drain((6, 9), rate=0.2)],
    }
    world = World(12, 12, ("mixture",), edges="open", **ports)
    world["material"][10, :9] = world.materials["wall"]
    world["mixture"][world.mixture["ice"], 2, 2] = FULL
    with Simulation(world) as sim:
        sim.step(400)
        after = sim.read()
    water, steam = after.amounts["water"], after.amounts["steam"]
    assert account(world, after) == after.contents()
    assert min(water.emitted, water.drained, water.left, water.used, water.made) > 0
    assert min(steam.made, steam.used, steam.left) > 0
    assert after.amounts["ice"].used == 0


@crossed(laws=LAWS[:3], edges=EDGES, width=[1, 2, 3, 4, 5, 22])
def test_a_mirrored_world_with_mirrored_chance_gives_the_mirrored_result(
    width: int, edges: str, laws: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    emitters = [Emitter((0, 0), (1, 2), material=laws["mixture"].names[-1], rate=0.4, chance=0.5)]
    world = random_mixture(9, width, luck=width, edges=edges, seed=width, emitters=emitters, **laws)
    assert_mirrored(world, 6, monkeypatch)


def test_without_mirrored_chance_the_result_is_not_mirrored() -> None:
    """Without mirrored random numbers, the mirrored world takes another course."""
    world = random_mixture(12, 22, luck=3)
    assert oracle.step(mirrored(world), 4).digest() != mirrored(oracle.step(world, 4)).digest()


@crossed(most=2, exclusive=[False, True], edges=["closed", "open"])
def test_a_mixture_without_chance_comes_to_rest(edges: str, exclusive: bool) -> None:
    """Sand, water and lava over walls come to rest, and the activity shows it."""
    parts = [each for each in SHIPPED.constituents if each.material in ("sand", "water", "lava")]
    laws = {"mixture": MixtureTable(parts), "parameters": {"mixture": {"exclusive": exclusive}}}
    world = random_mixture(20, 25, luck=7, edges=edges, **laws)
    with Simulation(world) as sim:
        step_until_settled(sim, 100, 40)
        assert sim.activity() == 0
        before = sim.read()
        sim.step(50)
        np.testing.assert_array_equal(sim.read()["mixture"], before["mixture"])


@pytest.mark.parametrize("edges", ["closed", "wrap"])
@pytest.mark.parametrize(
    "exclusive", [False, pytest.param(True, marks=pytest.mark.long("compiles programs of its own"))]
)
def test_a_body_falls_whole_and_does_not_spread_in_the_air(edges: Edges, exclusive: bool) -> None:
    """Sand and water, full cells and half full ones, in bodies longer than a tile; on a torus they fall for ever."""
    world = World(140, 9, ("mixture",), edges=edges, parameters={"mixture": {"exclusive": exclusive}})
    sand, water = (world.mixture[name] for name in ("sand", "water"))
    world["mixture"][sand, 10:80, 1] = world["mixture"][water, 10:80, 3] = FULL
    world["mixture"][sand, 20:60, 5] = world["mixture"][water, 20:60, 7] = FULL // 2
    with Simulation(world) as sim:
        sim.step(40)
        np.testing.assert_array_equal(sim.read()["mixture"], np.roll(world["mixture"], 40, axis=1))


def test_a_column_over_a_hole_sinks_at_its_surface_and_stays_full() -> None:
    """The foot of 90 rows of water runs out; all that it loses in a tick is missing on top, in the same tick."""
    world = World(100, 3, ("mixture",))
    water = world.mixture["water"]
    world["material"][:90, [0, 2]] = world.materials["wall"]
    world["mixture"][water, :90, 1] = FULL
    top = 0
    with Simulation(world) as sim:
        for _ in range(9):
            sim.step()
            column = sim.read()["mixture"][water, :90, 1]
            top = int((column > 0).argmax())
            assert (column[top + 1 : 88] == FULL).all()
        assert top > 3


def test_a_ring_without_room_rests_and_one_with_room_turns() -> None:
    world = World(40, 1, ("mixture",), edges="wrap")
    sand = world.mixture["sand"]
    world["mixture"][sand] = FULL
    with Simulation(world) as sim:
        sim.step(3)
        assert sim.settled
    world["mixture"][sand, 7] = FULL // 2
    with Simulation(world) as sim:
        sim.step(3)
        np.testing.assert_array_equal(sim.read()["mixture"], np.roll(world["mixture"], 3, axis=1))


def test_free_fall_is_one_cell_a_tick_and_flow_between_full_cells_has_its_speed() -> None:
    """From two rows, and with a slower material in the same cells."""
    slow = replace(SHIPPED.constituents[0], material="ash")
    flow = slow.vertical
    assert flow is not None
    table = MixtureTable((SHIPPED.constituents[0], replace(slow, vertical=replace(flow, speed=0.25))))
    for first in (0, 1):
        world = World(60, 1, ("mixture",), mixture=table)
        world["mixture"][:, first, 0] = FULL
        after = oracle.step(world, 40)
        fallen = int(np.flatnonzero(after["mixture"][0, :, 0])[0]) - first
        assert fallen == 40
        assert after["mixture"][1, first, 0] == 0
    world = World(2, 1, ("mixture",), mixture=table)
    world["mixture"][:, 0] = FULL
    assert [oracle.step(world, ticks)["mixture"][1, 1, 0] for ticks in range(5)] == [n * FULL // 4 for n in range(5)]
