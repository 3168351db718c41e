"""Ticks and ledgers end at 2**63 - 1: a step that could pass it is refused, and every state can be saved and read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from support.mixtures import random_mixture
from support.selection import mostly_long
from support.worlds import assert_equal, random_atoms, random_world

import gpufluid
from gpufluid import AtomLedger, Drain, Emitter, HeatLedger, Ledger, Simulation, World, oracle
from gpufluid.core.errors import WorldError
from gpufluid.core.fields import COUNT_LIMIT, QUANTITIES, Quantity
from gpufluid.gpu.ledger import LedgerBuffer
from gpufluid.run.checking import check
from gpufluid.runtime.editing import Workbench
from gpufluid.world.laws import EDGES
from gpufluid.world.ledger import AmountLedger, AnyLedger, entries_of
from gpufluid.world.limits import check_step, most_counted, quantity_most, ticks_left

pytestmark = pytest.mark.usefixtures("device")

PAST = f"ticks: 3 from tick {COUNT_LIMIT - 2} on; expected at most 2, because the last tick is {COUNT_LIMIT}"


def late(ticks: int, **laws) -> World:
    """A world with so many ticks left."""
    return random_world(5, 6, tick=COUNT_LIMIT - ticks, **laws)


def test_a_step_beyond_the_last_tick_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    world = late(2)
    with Simulation(world) as sim:
        with pytest.raises(WorldError) as caught:
            sim.step(3)
        assert str(caught.value) == PAST
        assert_equal(sim, world)
        sim.step(2)
        with pytest.raises(WorldError, match=f"^ticks: 1 from tick {COUNT_LIMIT} on; expected at most 0"):
            sim.step()
        assert_equal(sim, oracle.step(world, 2))
        gpufluid.save(sim.read(), tmp_path / "x.npz")
        assert gpufluid.load(tmp_path / "x.npz").digest() == sim.digest()
        sim.step(0)


def test_the_oracle_and_the_check_refuse_the_same_step() -> None:
    world = late(2)
    for refused in (lambda: oracle.step(world, 3), lambda: check(world, 3)):
        with pytest.raises(WorldError) as caught:
            refused()
        assert str(caught.value) == PAST
    last = oracle.step(world, 2)
    before = last.digest()
    with pytest.raises(WorldError, match=f"from tick {COUNT_LIMIT} on"):
        oracle.tick(last)
    assert (last.tick, last.digest()) == (COUNT_LIMIT, before)
    assert check(world, 2) is None


STEPS: Mapping[str, Callable[[Workbench], object]] = {
    "step": lambda sim: sim.step(),
    "step_within": lambda sim: sim.step_within(1, 9.0),
    "timed_step": lambda sim: sim.timed_step(),
    "host_cost": lambda sim: sim.host_cost(1),
}


@pytest.mark.parametrize("name", STEPS)
def test_every_way_to_step_refuses_the_tick_after_the_last(name: str) -> None:
    with Workbench(late(0)) as sim:
        before = sim.digest()
        with pytest.raises(WorldError, match=f"^ticks: 1 from tick {COUNT_LIMIT} on"):
            STEPS[name](sim)
        assert (sim.tick, sim.digest()) == (COUNT_LIMIT, before)


def test_a_number_of_ticks_is_whole_and_not_negative() -> None:
    for ticks in (-1, 1.0, True, "1", None):
        with pytest.raises(WorldError, match=r"^ticks: .*; expected a whole number from 0 on$"):
            check_step(ticks, 0)
    check_step(COUNT_LIMIT, 0)
    with pytest.raises(WorldError, match=r"^ticks: a number of thousands of digits from tick 0 on"):
        check_step(10**5000, 0)


def spring(**ledgers: AnyLedger) -> World:
    """Water that comes in at the top and leaves by a drain and by open edges."""
    world = random_world(
        6, 8, edges="open", emitters=[Emitter((2, 0), (3, 1), rate=0.5)], drains=[Drain((4, 4), (2, 2), rate=0.1)]
    )
    return counted(world, **ledgers)


def sand(**ledgers: AnyLedger) -> World:
    """Atoms with heat and reactions; sand comes in and leaves."""
    world = random_atoms(
        6,
        8,
        rules=("atoms", "heat", "reactions"),
        edges="open",
        emitters=[Emitter((2, 0), (3, 1), material="sand", temperature=500.0)],
        drains=[Drain((4, 4), (2, 2))],
    )
    return counted(world, **ledgers)


def mixed(**ledgers: AnyLedger) -> World:
    """A mixture; water comes in and leaves."""
    world = random_mixture(6, 8, edges="open", emitters=[Emitter((2, 0), (3, 1))], drains=[Drain((4, 4), (2, 2))])
    return counted(world, **ledgers)


def counted(world: World, **ledgers: AnyLedger) -> World:
    world.ledgers |= ledgers
    return world


FULL_LEDGERS: Mapping[str, tuple[Callable[..., World], dict[str, AnyLedger], str]] = {
    "mass, emitted": (spring, {"mass": Ledger(emitted=COUNT_LIMIT)}, "ledger.emitted"),
    "mass, drained": (spring, {"mass": Ledger(drained=COUNT_LIMIT)}, "ledger.drained"),
    "mass, left": (spring, {"mass": Ledger(left=COUNT_LIMIT - 1)}, "ledger.left"),
    "atoms, emitted": (sand, {"atoms": AtomLedger({"sand": Ledger(emitted=COUNT_LIMIT)})}, "atoms['sand'].emitted"),
    "atoms, made": (sand, {"atoms": AtomLedger({"ash": Ledger(made=COUNT_LIMIT - 2)})}, "atoms['ash'].made"),
    "atoms, used": (sand, {"atoms": AtomLedger({"ice": Ledger(used=COUNT_LIMIT)})}, "atoms['ice'].used"),
    "heat, air": (sand, {"heat": HeatLedger(air=COUNT_LIMIT - 5)}, "heat.air"),
    "heat, air below": (sand, {"heat": HeatLedger(air=-COUNT_LIMIT)}, "heat.air"),
    "heat, reacted": (sand, {"heat": HeatLedger(reacted=COUNT_LIMIT)}, "heat.reacted"),
    "heat, left": (sand, {"heat": HeatLedger(left=COUNT_LIMIT)}, "heat.left"),
    "amounts, left": (mixed, {"amounts": AmountLedger({"water": Ledger(left=COUNT_LIMIT)})}, "amounts['water'].left"),
}


@pytest.mark.parametrize("name", FULL_LEDGERS)
def test_a_tick_by_which_a_ledger_could_pass_its_limit_is_refused_by_gpu_and_oracle(name: str) -> None:
    make, ledgers, entry = FULL_LEDGERS[name]
    world = make(**ledgers)
    before = world.digest()
    messages = []
    with Simulation(world) as sim:
        for refused in (lambda: sim.step(5), lambda: oracle.step(world, 5), lambda: oracle.tick(world)):
            with pytest.raises(WorldError) as caught:
                refused()
            messages.append(str(caught.value))
        assert_equal(sim, world)
    assert world.digest() == before
    assert len(set(messages)) == 1
    assert messages[0].startswith(f"{entry}: ")
    assert f"; tick 0 could change it by {most_counted(world.schedule())[place_of(entry)]}" in messages[0]
    assert messages[0].endswith(f", and its limit is {COUNT_LIMIT}")


def place_of(entry: str) -> tuple[str, str]:
    known_as, name = entry.split("[")[0].split(".")[0], entry.rsplit(".", 1)[1]
    return next(quantity.name for quantity in QUANTITIES.values() if quantity.known_as == known_as), name


def test_a_full_entry_that_no_tick_can_change_stops_nothing() -> None:
    world = random_world(6, 8)  # no ports, closed edges
    world.ledger = Ledger(COUNT_LIMIT, COUNT_LIMIT, COUNT_LIMIT)
    world.atoms = AtomLedger({"sand": Ledger(COUNT_LIMIT)})
    with Simulation(world) as sim:
        sim.step(3)
        assert_equal(sim, oracle.step(world, 3))


def test_a_long_step_ends_before_the_tick_that_could_pass_the_limit(tmp_path: Path) -> None:
    """GPU and oracle stop at the same tick, in the same state, which can be saved and read."""
    world = spring()
    most = most_counted(world.schedule())["mass", "emitted"]
    first = oracle.step(world, 1)
    world.ledger = Ledger(emitted=COUNT_LIMIT - most - first.ledger.emitted * 3)
    twin = world.copy()
    with pytest.raises(WorldError) as caught:
        tick_often(twin)
    assert 2 < twin.tick < 100
    with Simulation(world) as sim:
        with pytest.raises(WorldError) as same:
            sim.step(100)
        assert str(same.value) == str(caught.value)
        assert_equal(sim, twin)
        gpufluid.save(sim.read(), tmp_path / "x.npz")
    assert gpufluid.load(tmp_path / "x.npz").digest() == twin.digest()


def tick_often(world: World) -> None:
    for _ in range(100):
        oracle.tick(world)


def test_ledgers_are_read_only_when_the_bound_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    world, read = spring(), []
    original = LedgerBuffer.read_all
    monkeypatch.setattr(LedgerBuffer, "read_all", lambda self, laws: read.append(1) or original(self, laws))
    with Simulation(world) as sim:
        sim.step(50)
        assert read == []
    most = most_counted(world.schedule())["mass", "emitted"]
    world.ledger = Ledger(emitted=COUNT_LIMIT - 10 * most)
    with Simulation(world) as sim:
        sim.step(10)
        assert read == []
        sim.step(1)
        assert read == [1]
        sim.step(5)
        assert read == [1]


def test_new_ports_are_held_to_the_limit_and_a_restored_state_too() -> None:
    world = random_world(6, 8)
    world.ledger = Ledger(emitted=COUNT_LIMIT)
    with Workbench(world) as sim:
        sim.step(2)
        sim.replace_ports([Emitter((0, 0))], [])
        with pytest.raises(WorldError, match=r"^ledger\.emitted: "):
            sim.step()
        sim.restore(random_world(6, 8, emitters=[Emitter((0, 0))]))
        sim.step(2)
        full = random_world(6, 8, emitters=[Emitter((0, 0))])
        full.ledger = Ledger(emitted=COUNT_LIMIT)
        sim.restore(full)
        for step in STEPS.values():
            with pytest.raises(WorldError, match=r"^ledger\.emitted: "):
                step(sim)
        assert_equal(sim, full)


def test_heat_given_by_hand_is_held_to_the_limit() -> None:
    world = sand(heat=HeatLedger(given=COUNT_LIMIT - 100))
    with Workbench(world) as sim:
        with pytest.raises(WorldError, match=r"^heat\.given: \d+; expected a whole number"):
            sim.warm((0, 0), np.ones((6, 8), bool), 10.0)
        assert_equal(sim, world)
        sim.warm((0, 0), np.ones((6, 8), bool), -10.0)


RULES = (("flow",), ("atoms",), ("atoms", "heat", "reactions"), ("flow", "atoms", "heat"), ("mixture",))


@pytest.mark.parametrize("rules", mostly_long(RULES, RULES[0], why="programs of its own"), ids="+".join)
def test_no_tick_changes_an_entry_by_more_than_its_bound(rules: tuple[str, ...]) -> None:
    held = {"flow": "water", "mixture": "water"}.get(rules[0], "lava")
    rate = 1000.0 if {"flow", "mixture"} & set(rules) else 1.0
    emitter = Emitter((0, 0), (8, 2), material=held, rate=rate, level=1000.0, temperature=4000.0)
    ports = {"emitters": [emitter] * 4, "drains": [Drain((0, 3), (8, 3))] * 3}
    for edges, luck in product(EDGES, range(4)):
        laws = {"rules": rules, "edges": edges, "luck": luck, **ports}
        make = random_world if rules == ("flow",) else random_mixture if rules == ("mixture",) else random_atoms
        world = make(6, 8, **laws)
        most = most_counted(world.schedule())
        for _ in range(4):
            before = dict(world.ledgers)
            oracle.tick(world)
            for name, ledger in world.ledgers.items():
                for entry, change in largest_changes(QUANTITIES[name], before[name], ledger).items():
                    assert abs(change) <= most.get((name, entry), 0), (name, entry, edges, luck)


def largest_changes(quantity: Quantity, before: AnyLedger, after: AnyLedger) -> dict[str, int]:
    """The largest change of each entry among all accounts."""
    accounts = [(before[name], after[name]) for name in {**before, **after}] if quantity.by else [(before, after)]
    changes = [[new - old for old, new in zip(entries_of(a), entries_of(b), strict=True)] for a, b in accounts]
    return {entry: max((each[n] for each in changes), key=abs, default=0) for n, entry in enumerate(quantity.entries)}


def test_the_largest_worlds_of_shipped_rules_have_thousands_of_ticks_between_two_readings() -> None:
    """So the bound refuses no world, and costs nothing; where every cell can be soaked, melt and boil, 16."""
    for rules in RULES:
        world = World(256, 256, rules, edges="open")
        most = most_counted(world.schedule())
        cells = (16384 * 16384) // (256 * 256)
        wet = "flow" in rules and "heat" in rules
        assert ticks_left(world.ledgers, {place: cells * each for place, each in most.items()}) > (15 if wet else 1000)


def test_the_default_bound_of_a_quantity_follows_from_its_declaration() -> None:
    assert quantity_most(QUANTITIES["atoms"]) == 1
    assert quantity_most(QUANTITIES["mass"]) == 1000 << 20
    assert quantity_most(QUANTITIES["amounts"]) == 1 << 20
    assert quantity_most(Quantity("x", "with a measure", measure=QUANTITIES["heat"].measure)) == 2**31
