"""Law 2: before + emitted - drained - left == after, to the last unit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.worlds import random_world, worlds

from gpufluid import FULL, Drain, Emitter, Ledger, Simulation, World

pytestmark = pytest.mark.usefixtures("device")


def balance(ledger: Ledger) -> int:
    return ledger.emitted - ledger.drained - ledger.left


@given(world=worlds(), ticks=st.integers(1, 40))
def test_the_ledger_balances(world: World, ticks: int) -> None:
    with Simulation(world) as sim:
        sim.step(ticks)
        after = sim.read()
    assert world.total() + balance(after.ledger) == after.total()


@given(world=worlds(edges=("closed", "wrap"), most_ports=0), ticks=st.integers(1, 40))
def test_without_ports_and_open_edges_mass_is_constant(world: World, ticks: int) -> None:
    with Simulation(world) as sim:
        sim.step(ticks)
        after = sim.read()
    assert after.ledger == Ledger()
    assert after.total() == world.total()


def test_the_ledger_counts_emitted_and_drained_mass() -> None:
    world = World(
        1, 3, rules=("flow",), emitters=[Emitter((0, 0), rate=0.25)], drains=[Drain((2, 0), rate=0.5, start=1)]
    )
    world["material"][0, 1] = world.materials["wall"]
    world["mass"][0, 2] = FULL
    with Simulation(world) as sim:
        kept = []
        for _ in range(5):
            sim.step()
            kept.append((sim.ledger.emitted, sim.ledger.drained))
    assert [(4 * added / FULL, 4 * taken / FULL) for added, taken in kept] == [(1, 0), (2, 2), (3, 4), (4, 4), (4, 4)]


def test_the_ledger_counts_past_32_bits() -> None:
    whole = {"at": (0, 0), "size": (64, 64)}
    world = World(
        64,
        64,
        rules=("flow",),
        edges="open",
        emitters=[Emitter(**whole, rate=1000.0, level=1000.0)],
        drains=[Drain(**whole, rate=1.0)],
    )
    with Simulation(world) as sim:
        sim.step(20)
        after = sim.read()
    assert min(after.ledger.emitted, after.ledger.drained, after.ledger.left) > 2**32
    assert balance(after.ledger) == after.total()


def test_an_open_world_run_dry_counts_all_its_mass_as_left() -> None:
    world = random_world(12, 30, walls=0.0, edges="open")
    with Simulation(world) as sim:
        sim.step(400)
        after = sim.read()
    assert after.total() == 0
    assert after.ledger == Ledger(left=world.total())
