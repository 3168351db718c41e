"""`Batch.replace_ports`: each world is as it is alone with the same ports replaced at the same ticks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
import pytest
from support.batches import COUNT, random_ports, random_worlds, room_for_one

from gpufluid import FULL, Batch, Drain, Emitter, Simulation, World
from gpufluid.core.errors import DeviceError, UsageError, WorldError
from gpufluid.core.fields import COUNT_LIMIT
from gpufluid.runtime import batch as runtime_batch

pytestmark = pytest.mark.usefixtures("device")


def assert_as_alone(batch: Batch, alone: Sequence[Simulation]) -> None:
    """Compare digests, ledgers, ports and rest of each world with those that it has alone."""
    assert batch.digests() == [world.digest() for world in alone]
    assert batch.ledgers == [world.ledgers for world in alone]
    assert batch.settled.tolist() == [world.settled for world in alone]
    state = batch.read()
    for number, world in enumerate(alone):
        assert state.world(number) == world.read()
        assert state.world(number).emitters == world.blank.emitters
        assert state.world(number).drains == world.blank.drains


def hold_law(rules: tuple[str, ...], luck: int, **laws: Any) -> None:
    """Replace ports of some worlds of a batch and of each of them alone, with ticks and a reset between."""
    firsts = random_worlds(rules, luck, **laws)
    alone = [Simulation(first) for first in firsts]
    rng = np.random.default_rng(luck)
    with Batch(firsts) as batch:
        for turn in range(4):
            ticks, mask = batch.ticks.tolist(), rng.random(COUNT) < 0.7
            new = [random_ports(first, 7 * luck + turn + n, ticks[n]) for n, first in enumerate(firsts)]
            emitters = [None if rng.random() < 0.2 else own for own, _ in new]
            drains = [None if rng.random() < 0.2 else own for _, own in new]
            batch.replace_ports(emitters, drains, mask)
            for world, first, second, chosen in zip(alone, emitters, drains, mask.tolist(), strict=True):
                if chosen:
                    present = world.blank
                    world.replace_ports(
                        present.emitters if first is None else first, present.drains if second is None else second
                    )
            assert_as_alone(batch, alone)
            batch.step(2)
            for world in alone:
                world.step(2)
            if turn == 1:
                batch.reset([False, True, False, True, False])
                for number in (1, 3):
                    alone[number].close()
                    alone[number] = Simulation(firsts[number])
        assert_as_alone(batch, alone)
    for world in alone:
        world.close()


def test_each_world_has_its_ports_as_it_has_them_alone() -> None:
    hold_law(("flow",), 2, edges="wrap", gravity="down")


EVERY = [
    (("atoms", "heat", "reactions"), 1, "closed", "down"),
    (("flow", "inertia", "atoms", "heat"), 2, "open", "up"),
    (("mixture", "pressure"), 3, "closed", "left"),
    (("atoms", "mixture"), 4, "open", "off"),
]


@pytest.mark.long("sets of rules, of which each has programs of its own")
@pytest.mark.parametrize(("rules", "luck", "edges", "gravity"), EVERY)
def test_the_law_holds_for_every_rule(rules: tuple[str, ...], luck: int, edges: str, gravity: str) -> None:
    hold_law(rules, luck, edges=edges, gravity=gravity)


def pool(**laws: Any) -> World:
    world = World(16, 24, ("flow",), **laws)
    world["mass"][4:, :6] = FULL
    return world


SPRING, HOLE = Emitter((3, 2), (2, 1), material="water", rate=0.5), Drain((0, 15), (4, 1))


def test_a_spout_moves_opens_and_closes_and_nothing_is_made_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """On several sheets; a slot that all worlds have left stays, so the same calls serve it when it opens again."""
    monkeypatch.setattr(runtime_batch, "worlds_a_sheet", lambda *_: 2)
    places = [(2, 1), (9, 3), (20, 2), (0, 0), (21, 14)]
    with Batch(pool(emitters=[SPRING]), count=COUNT) as batch:
        batch.step(2)
        before = [ledgers["mass"].emitted for ledgers in batch.ledgers]
        with monkeypatch.context() as patch:
            patch.setattr(moderngl.Context, "compute_shader", None)  # neither may be called
            patch.setattr(moderngl.Context, "texture", None)
            batch.replace_ports([])
            batch.step(2)
            shut = batch.read()
            batch.replace_ports([[replace(SPRING, at=(5, 5))] for _ in places], HOLE)
            batch.replace_ports([[replace(SPRING, at=place)] for place in places])
            batch.step()
        assert [shut.ledgers(number)["mass"].emitted for number in range(COUNT)] == before
        assert shut.world(3).emitters == ()
        state = batch.read()
        for number, (column, row) in enumerate(places):
            assert state.ledgers(number)["mass"].emitted == before[number] + FULL
            assert state["mass"][number, row : row + 3, column : column + 2].any()
            assert state.world(number).drains == (HOLE,)
        others = [(7, 12), (13, 1), (5, 5), (19, 13), (1, 1)]
        before_move = batch.read()["mass"]
        batch.replace_ports([[replace(SPRING, at=place)] for place in others])  # while they are open
        batch.step()
        gained = batch.read()["mass"] > before_move
        for number, (column, row) in enumerate(others):
            assert gained[number, row : row + 3, column : column + 2].any()
        batch.reset([True] * COUNT)
        assert {world.emitters for world in batch.read()} == {(SPRING,)}
        batch.step(2)
        assert [ledgers["mass"].emitted for ledgers in batch.ledgers] == before


@pytest.mark.parametrize("rules", [("flow",), ("atoms",)])
def test_a_world_at_rest_wakes_for_a_drain_and_rests_when_it_would_alone(rules: tuple[str, ...]) -> None:
    """Each tick is compared: `settled` is False before the first tick with other ports, even if they find nothing."""
    still = World(12, 12, rules)
    still[("mass" if rules == ("flow",) else "material")][9:] = FULL if rules == ("flow",) else still.materials["sand"]
    with Batch(still, count=2, seeds=[0, 0]) as batch, Simulation(still) as alone:
        batch.step(40)
        alone.step(40)
        assert batch.settled.tolist() == [True, True]
        for place in [(4, 0), (4, 11)]:  # in the air, and below the matter
            batch.replace_ports(drains=[Drain(place, (2, 1))], mask=[False, True])
            alone.replace_ports((), [Drain(place, (2, 1))])
            rests = []
            for _ in range(20):
                assert batch.settled.tolist() == [True, alone.settled]
                rests.append(alone.settled)
                batch.step()
                alone.step()
            assert not rests[0]
            assert batch.digests()[1] == alone.digest()
            assert rests[-1] or place == (4, 11)
        assert batch.ledgers[1] == alone.ledgers != batch.ledgers[0]


@pytest.mark.long("the programs of atoms")
def test_an_emitter_brings_matter_of_a_new_kind() -> None:
    dry = World(12, 12, ("atoms",))
    dry["material"][6:8, 3:9] = dry.materials["sand"]
    spout = Emitter((5, 1), (3, 1), material="water", rate=0.7)
    with Batch(dry, count=2, seeds=[0, 0]) as batch, Simulation(dry) as shut, Simulation(dry) as alone:
        for each in (batch, shut, alone):
            each.step(2)
        batch.replace_ports([spout], mask=[False, True])
        alone.replace_ports([spout], ())
        for each in (batch, shut, alone):
            each.step(9)
        assert batch.digests() == [shut.digest(), alone.digest()]
        assert (batch.read()["material"][1] == dry.materials["water"]).any()


REFUSED: list[tuple[tuple[Any, ...], str]] = [
    ((3,), r"emitters: 3; expected a list of gpufluid.Emitter, or 3 such lists, one for each world"),
    (([SPRING, HOLE],), r"emitters\[1\]: Drain.*; expected a gpufluid.Emitter"),
    (([SPRING, HOLE, SPRING],), r"emitters\[1\]: Drain.*; expected a gpufluid.Emitter"),
    (([[SPRING], SPRING, None],), r"emitters\[1\]: .*; expected a list of gpufluid.Emitter, or None"),
    (([[SPRING], [SPRING]],), "emitters: .*; expected a list of gpufluid.Emitter, or 3 such lists"),
    (([[SPRING], [HOLE], None],), r"emitters\[1\]: .*; expected a list of gpufluid.Emitter, or None"),
    ((None, [None, HOLE, None]), r"drains\[1\]: .*; expected a list of gpufluid.Drain, or None"),
    (
        ([None, [replace(SPRING, at=(23, 2))], None],),
        r"worlds\[1\].emitter\[0\].at: columns 23 to 24, rows 2 to 2 reach",
    ),
    (([SPRING], [replace(HOLE, at=(0, 16))]), r"worlds\[0\].drain\[0\].at: columns 0 to 3, rows 16 to 16 reach"),
    (([replace(SPRING, material="sand")],), r"worlds\[0\].emitter\[0\].material: no rule of this world emits 'sand'"),
    (([SPRING], None, [True]), "mask: bool of shape"),
]


def test_refused_ports_change_nothing() -> None:
    with Batch(pool(emitters=[SPRING]), count=3) as batch, Batch(pool(emitters=[SPRING]), count=3) as other:
        for arguments, message in REFUSED:
            with pytest.raises(UsageError, match=message):
                batch.replace_ports(*arguments)
        assert [world.emitters for world in batch.read()] == [(SPRING,)] * 3
        batch.step(3)
        other.step(3)
        assert batch.digests() == other.digests()
    with pytest.raises(UsageError, match="this batch is closed"):
        batch.replace_ports([])


def test_an_entry_at_its_limit_is_named_once_a_port_could_change_it() -> None:
    full = pool()
    full.ledgers["mass"] = replace(full.ledgers["mass"], emitted=COUNT_LIMIT - 5)
    with Batch([pool(), full]) as batch:
        batch.step(2)
        batch.replace_ports([SPRING], mask=[True, False])
        batch.step(2)
        batch.replace_ports([SPRING])
        with pytest.raises(WorldError, match=r"worlds\[1\].ledger.emitted: .*; tick 4 could change it"):
            batch.step()
        assert batch.ticks.tolist() == [4, 4]
        batch.replace_ports([None, []])
        batch.step()
        assert batch.ledgers[1]["mass"].emitted == COUNT_LIMIT - 5


@pytest.mark.parametrize("call", ["replace_ports", "reset"])
def test_too_little_memory_for_ports_changes_nothing(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On two sheets, of which the first one finds room."""
    monkeypatch.setattr(runtime_batch, "worlds_a_sheet", lambda *_: 3)
    crowded = pool(emitters=[replace(SPRING, at=(n % 20, n // 20)) for n in range(100)])
    with Batch(pool(emitters=[SPRING]), count=5) as batch, Batch(pool(emitters=[SPRING]), count=5) as other:
        for each in (batch, other):
            each.step(2)
        with room_for_one(batch._device) as found, pytest.raises(DeviceError, match="too little memory"):
            batch.replace_ports(crowded.emitters) if call == "replace_ports" else batch.reset([True] * 5, crowded)
        assert found
        assert [world.emitters for world in batch.read()] == [(SPRING,)] * 5
        for each in (batch, other):
            each.step(2)
        assert batch.digests() == other.digests()
        assert batch.ledgers == other.ledgers


def test_more_ports_than_a_storage_buffer_holds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [replace(SPRING, at=(n % 20, n // 20)) for n in range(100)]
    with Batch(pool(emitters=[SPRING]), count=3) as batch, Batch(pool(emitters=[SPRING]), count=3) as other:
        monkeypatch.setattr(batch._device, "storage_bytes", 8192)
        with pytest.raises(
            DeviceError, match=r"the emitters and drains of a batch take .* KiB in one buffer; expected"
        ):
            batch.replace_ports(many, mask=[True, False, False])
        for each in (batch, other):
            each.step(2)
        assert batch.digests() == other.digests()


def test_slots_that_no_world_uses_any_longer_are_given_up() -> None:
    with Batch(pool(emitters=[SPRING]), count=3) as batch, Batch(pool(emitters=[SPRING]), count=3) as other:
        for each in (batch, other):
            each.step(2)
        batch.replace_ports([replace(SPRING, at=(n % 20, n // 20)) for n in range(100)], mask=[False, True, False])
        batch.replace_ports([SPRING])
        assert len(batch._sheets[0]._ports.sizes) == 1
        for each in (batch, other):
            each.step(2)
        assert batch.digests() == other.digests()


@pytest.mark.parametrize(("edges", "gravity"), [("closed", "down"), ("wrap", "left")])
def test_changed_ports_wake_the_tiles_beside_them_alone(edges: str, gravity: str) -> None:
    still = World(300, 290, ("flow",), edges=edges, gravity=gravity)
    with Batch(still, count=3, seeds=[0, 0, 0]) as batch:
        batch.step(3)
        planner = batch._sheets[0]._planner
        (tiles,) = planner.tiles.values()

        def sections() -> np.ndarray:
            with batch._device:
                return np.frombuffer(tiles.buffer.read(4 * 3 * tiles._section), "<u4").reshape(3, -1).copy()

        asleep, changes = sections(), []
        for number, at in enumerate([(0, 0), (280, 5), (140, 299), (288, 150)]):
            hole, tick = Drain(at, (2, 1)), np.array([900 + number])
            with batch._device:
                where = np.array([hole.at]), np.array([hole.size]), np.array([2]), tick
                planner.wake_in_worlds(*where, batch._sheets[0]._writer)
                planner.wake(hole.at, hole.size, int(tick[0]))  # of the first world
            np.testing.assert_array_equal(sections()[2], sections()[0])
            changes.append(np.count_nonzero(sections()[2] == tick))
        np.testing.assert_array_equal(sections()[1], asleep[1])
        assert 1 < min(changes) <= max(changes) < tiles._count
        before = sections()
        batch.replace_ports(drains=[None, [Drain((280, 5), (2, 1))], None])
        np.testing.assert_array_equal(sections()[[0, 2]], before[[0, 2]])
        assert 1 < np.count_nonzero(sections()[1] != before[1]) < tiles._count
