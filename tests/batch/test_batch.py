"""Law of a batch: after any ticks and masked resets world i has the state that it has alone, to the last bit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.batches import COUNT, random_worlds, room_for_one
from support.mixtures import ponds
from support.worlds import random_atoms

from gpufluid import FULL, Batch, Emitter, Simulation, World, oracle
from gpufluid.core.errors import DeviceError, ShortageError, UsageError, WorldError
from gpufluid.gpu.atlas import Atlas
from gpufluid.gpu.batch_ledgers import BatchLedgers
from gpufluid.gpu.device import Device, shared_device
from gpufluid.gpu.ledger import ledger_words
from gpufluid.rules import RULES, with_requirements
from gpufluid.runtime import batch as runtime_batch

pytestmark = pytest.mark.usefixtures("device")

WET = ("flow", "inertia", "atoms", "heat")
DRY = ("atoms", "heat", "reactions", "pressure", "collapse")
MIXED = ("mixture", "atoms")


def assert_alone(batch: Batch, firsts: Sequence[World], steps: Sequence[int]) -> None:
    """Check digests, arrays, ledgers and statistics of each world of a batch against the oracle's.

    Args:
        batch: the batch.
        firsts: the first state of each world since its last reset.
        steps: the ticks of each world since then.
    """
    digests, state, statistics = batch.digests(), batch.read(), batch.statistics()
    assert len(state) == len(batch) == len(firsts)
    for number, (first, ticks) in enumerate(zip(firsts, steps, strict=True)):
        alone = oracle.step(first, ticks)
        assert digests[number] == alone.digest(), f"world {number} after {ticks} ticks"
        assert state.world(number) == alone, f"world {number}: ledgers"
        assert statistics[number] == alone.statistics()
        for name, array in alone.complete_arrays().items():
            np.testing.assert_array_equal(state[name][number], array)


def hold_law(rules: tuple[str, ...], luck: int, variant: dict[str, str] | None = None, **laws: Any) -> None:
    """Step a batch, reset some worlds, others to new first states, step on; compare each world with itself alone."""
    firsts = random_worlds(rules, luck, **laws)
    steps = [0] * COUNT
    with Batch(firsts, variant=variant) as batch:
        batch.step(3)
        batch.reset([True, False, False, True, False])
        steps = [3 * (number not in (0, 3)) for number in range(COUNT)]
        assert batch.ticks.tolist() == [first.tick + done for first, done in zip(firsts, steps, strict=True)]
        batch.step(2)
        new = random_worlds(rules, luck + 50, count=2, **laws)
        batch.reset([False, True, False, True, False], new)
        firsts[1], firsts[3] = new
        batch.step(4)
        steps = [2 + 4, 4, 3 + 2 + 4, 4, 3 + 2 + 4]
        assert_alone(batch, firsts, steps)


def variant_of(rules: Sequence[str], number: int) -> dict[str, str]:
    """The variant of this number of each rule, by the rule's name."""
    names = {rule: [each.name for each in RULES[rule].variants] for rule in rules}
    return {rule: own[number % len(own)] for rule, own in names.items()}


@pytest.mark.parametrize("edges", ["wrap", pytest.param("open", marks=pytest.mark.long("other edges"))])
def test_each_world_of_a_batch_is_as_it_is_alone(edges: str) -> None:
    hold_law(("flow",), 1, edges=edges, gravity="left" if edges == "open" else "down")


CHOSEN = [
    (("flow",), 1, "closed", "off"),
    (("flow", "inertia"), 0, "open", "up"),
    (("atoms",), 0, "wrap", "left"),
    (DRY, 1, "wrap", "right"),
    (WET, 1, "open", "down"),
    (("mixture", "pressure"), 0, "open", "left"),
    (MIXED, 1, "closed", "up"),
    ((*MIXED, "heat", "pressure"), 0, "open", "right"),
]
"""Rules, the number of their variants, edges and gravity: each edge and gravity, and variants of both kinds."""

_NAMED = {rule for rules, *_ in CHOSEN for rule in rules}
EVERY = [*CHOSEN, *((with_requirements(rule), 0, "wrap", "down") for rule in RULES if rule not in _NAMED)]
"""These, and each other rule in the smallest world that can have it."""


@pytest.mark.long("all rules, of which each set has programs of its own")
@pytest.mark.parametrize(("rules", "number", "edges", "gravity"), EVERY)
def test_the_law_holds_for_every_rule(rules: tuple[str, ...], number: int, edges: str, gravity: str) -> None:
    hold_law(rules, number + 2, variant_of(rules, number), edges=edges, gravity=gravity)


def test_every_rule_is_compared() -> None:
    assert {rule for rules, *_ in EVERY for rule in rules} == set(RULES)
    assert {edges for _, _, edges, _ in EVERY} == {"closed", "open", "wrap"}
    assert {gravity for *_, gravity in EVERY} == {"down", "up", "left", "right", "off"}


def pool(seed: int = 0, **laws: Any) -> World:
    """A small basin with a column of water."""
    world = World(16, 24, ("flow",), seed=seed, **laws)
    world["mass"][4:, :6] = FULL
    return world


def test_worlds_on_several_sheets_are_as_on_one(monkeypatch: pytest.MonkeyPatch) -> None:
    firsts = random_worlds(("flow",), 1, edges="wrap", gravity="down")
    monkeypatch.setattr(runtime_batch, "worlds_a_sheet", lambda *_: 2)
    with Batch(firsts) as batch:
        batch.step(2)
        batch.reset([False, False, True, False, True])
        batch.step(3)
        assert_alone(batch, firsts, [5, 5, 3, 5, 3])
        assert batch.activity().shape == batch.settled.shape == (COUNT,)


def test_one_world_many_seeds() -> None:
    world = pool(seed=2**32 - 2, emitters=[Emitter((10, 2), (3, 1), rate=0.5, chance=0.5, material="water")])
    with Batch(world, count=4) as batch:
        assert batch.seeds.tolist() == [2**32 - 2, 2**32 - 1, 0, 1]
        batch.step(6)
        assert len(set(batch.digests())) == 4
        batch.reset([True, True, False, False], seeds=[7, 2**32 - 2])
        batch.step(6)
        firsts = [world.copy() for _ in range(4)]
        for first, seed in zip(firsts, (7, 2**32 - 2, 0, 1), strict=True):
            first.seed = seed
        assert_alone(batch, firsts, [6, 6, 12, 12])


def test_worlds_of_a_list_get_the_seeds_that_are_given() -> None:
    spring = Emitter((10, 2), (3, 1), rate=0.5, chance=0.5, material="water")
    firsts = [pool(seed=seed, emitters=[spring]) for seed in (1, 2)]
    with Batch(firsts, seeds=[8, 9]) as batch:
        batch.step(6)
        assert_alone(batch, [pool(seed=seed, emitters=[spring]) for seed in (8, 9)], [6, 6])


@pytest.mark.parametrize("ticks", [-1, 1.5, "3", None])
def test_a_refused_number_of_ticks_runs_none(ticks: Any) -> None:
    with Batch([pool(), pool()]) as batch:
        with pytest.raises(UsageError, match="ticks: "):
            batch.step(ticks)
        assert batch.ticks.tolist() == [0, 0]


def test_settled_is_each_worlds_own() -> None:
    still, moving = World(16, 24, ("flow",)), pool()
    with Batch([still, moving, still]) as batch, Simulation(moving) as alone:
        assert batch.settled.tolist() == [False] * 3
        batch.step(8)
        alone.step(8)
        assert batch.settled.tolist() == [True, False, True]
        assert batch.activity().tolist() == [0, alone.activity(), 0]
        assert batch.ledgers[1] == alone.ledgers
        batch.reset([True, False, False])
        assert batch.settled.tolist() == [False, False, True]


def test_units_that_have_moved_begin_again() -> None:
    with shared_device() as device:
        words = ledger_words(pool())
        ledgers = BatchLedgers(device, [words, words])
        ledgers.buffer.write(np.array([7, 8], "<u8"))
        ledgers.begin(0, words)
        assert ledgers.read_moved().tolist() == [0, 8]
        ledgers.release()


@pytest.mark.long("the programs of a mixture")
def test_activity_begins_again_in_a_mixture() -> None:
    with Batch([ponds(8, 10, 1), ponds(8, 10, 2)]) as batch:
        batch.step(2)
        before = batch.activity().tolist()
        assert min(before) > 0
        batch.reset([True, False])
        assert batch.activity().tolist() == [0, before[1]]


@pytest.mark.parametrize("sheet", [2, 1])
def test_late_reads_follow_two_calls_behind(sheet: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_batch, "worlds_a_sheet", lambda *_: sheet)
    with Batch([pool(), pool(1)]) as batch:
        assert batch.late("mass") is None
        batch.step(2)
        assert batch.late("mass") is None
        batch.step(3)
        ticks, mass = batch.late("mass") or (None, None)
        assert ticks is not None
        assert ticks.tolist() == [0, 0]
        np.testing.assert_array_equal(mass, [pool()["mass"]] * 2)
        found = batch.late("mass")
        assert found is not None
        assert found[0].tolist() == [2, 2]
        np.testing.assert_array_equal(found[1][1], oracle.step(pool(1), 2)["mass"])
        with pytest.raises(WorldError, match="no such field"):
            batch.late("velocity")


def test_late_reads_of_worlds_that_begin_again() -> None:
    with Batch([pool(), pool(1)]) as batch:
        batch.step(3)
        batch.late("mass")
        batch.reset([True, False])
        batch.late("mass")
        batch.step(2)
        for expected in ([3, 3], [0, 3]):
            ticks, mass = batch.late("mass") or (None, None)
            assert ticks is not None
            assert mass is not None
            assert ticks.tolist() == expected
            for number, tick in enumerate(expected):
                np.testing.assert_array_equal(mass[number], oracle.step(pool(number), tick)["mass"])


def observed_late(batch: Batch) -> tuple[np.ndarray, np.ndarray] | None:
    """The ticks, and the mass of each world as shares of a full cell."""
    found = batch.observe_late("planes", ("water",))
    return None if found is None else (found[0], found[1][:, 0].copy())


def late_mass(batch: Batch) -> tuple[np.ndarray, np.ndarray] | None:
    """As `observed_late`."""
    found = batch.late("mass")
    return None if found is None else (found[0], np.minimum(found[1], FULL).astype(np.float32) / FULL)


@pytest.mark.parametrize("ask", [late_mass, observed_late])
def test_late_reads_after_a_lack_of_memory_are_of_one_moment(
    ask: Callable[[Batch], tuple[np.ndarray, np.ndarray] | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of two sheets finds room for its request, the second one does not: both begin again."""
    monkeypatch.setattr(runtime_batch, "worlds_a_sheet", lambda *_: 1)
    with Batch([pool(), pool()]) as batch:
        assert ask(batch) is None
        batch.step()
        with room_for_one(batch._device) as found, pytest.raises(DeviceError, match="too little memory"):
            ask(batch)
        assert found
        for expected in (None, None, 2, 3):
            batch.step()
            found = ask(batch)
            assert (found is None) == (expected is None)
            if found is not None and expected is not None:
                assert found[0].tolist() == [expected] * 2
                mass = oracle.step(pool(), expected)["mass"]
                for own in found[1]:
                    np.testing.assert_array_equal(own, np.minimum(mass, FULL).astype(np.float32) / FULL)


@pytest.mark.long("the programs of heat in water")
@pytest.mark.parametrize("kind", [Simulation, lambda world: Batch([world])], ids=["simulation", "batch"])
def test_a_field_that_atoms_and_water_share_is_late_of_one_moment(kind: Callable[[World], Any]) -> None:
    """A request of it is two: of its plane, and of the materials, for which there is no memory here."""
    world = World(10, 12, ("flow", "atoms", "heat"))
    world["material"][4:, :6] = world.materials["lava"]
    world["temperature"][4:, :6] = 8000
    world["mass"][4:, 6:] = FULL
    with kind(world) as sim:
        assert sim.late("temperature") is None
        sim.step()
        with room_for_one(sim._device) as found, pytest.raises(DeviceError, match="too little memory"):
            sim.late("temperature")
        assert found
        for expected in (None, None, 2):
            sim.step()
            late = sim.late("temperature")
            assert (late is None) == (expected is None)
        assert np.ravel(late[0]).tolist() == [2]
        wanted = oracle.step(world, 2)
        atoms = wanted["material"] != 0  # other cells have temperature 0 on the device
        np.testing.assert_array_equal(np.squeeze(late[1])[atoms], wanted["temperature"][atoms])


def test_a_ledger_at_its_limit_is_named() -> None:
    full = pool(emitters=[Emitter((10, 2), (3, 1), rate=0.5, material="water")])
    full.ledgers["mass"] = replace(full.ledgers["mass"], emitted=2**63 - 1)
    with Batch([pool(), full]) as batch:
        with pytest.raises(WorldError, match=r"worlds\[1\].ledger.emitted: 9223372036854775807; tick 0 could"):
            batch.step(3)
        assert batch.ticks.tolist() == [0, 0]
        batch.reset([False, True], pool())
        batch.step(3)
        assert_alone(batch, [pool(), pool()], [3, 3])


@pytest.mark.long("the programs of atoms")
def test_matter_that_a_reset_brings() -> None:
    """The passes that it needs are compiled then, or with ``any_matter`` at the start; the others are as before."""
    firsts = [World(10, 12, ("atoms",), seed=seed) for seed in (1, 2)]
    firsts[0]["material"][2:5, 3:9] = firsts[0].materials["sand"]
    wet = World(10, 12, ("atoms",), seed=3)
    wet["material"][2:6, 1:7] = wet.materials["water"]
    for any_matter in (False, True):
        with Batch(firsts, any_matter=any_matter) as batch:
            batch.step(3)
            batch.reset([False, True], wet)
            batch.step(4)
            assert_alone(batch, [firsts[0], wet], [7, 4])


def test_a_closed_batch_holds_no_memory() -> None:
    with Batch(pool(), count=3) as batch:
        batch.step(2)
        batch.late("mass")
        batch.statistics()
        assert batch.memory.held > batch.memory.needed > 0
        assert not batch.closed
    assert batch.closed
    assert batch.memory.held == 0
    batch.close()


@pytest.mark.parametrize("block", [(64, 64), (17, 330), (4000, 4000)])
def test_an_atlas_has_a_place_for_each_world(block: tuple[int, int]) -> None:
    device = shared_device()
    most = Atlas.most(device, block)
    assert most >= 1
    for count in {1, 3, 5, 7, most // 2 + 1, most}:
        atlas = Atlas.of(device, block, count)
        across, down = atlas.grid
        assert across * block[0] <= device.max_side
        assert down * block[1] <= device.max_side
        assert count <= across * down <= 1.5 * count
        places = {atlas.place(number) for number in range(count)}
        assert len(places) == count
        assert all(column < across and row < down for column, row in places)


@pytest.mark.parametrize("block", [(64, 64), (4000, 4000)])
def test_an_atlas_with_layers_is_one_that_the_device_can_hold(block: tuple[int, int]) -> None:
    device = shared_device()
    most = Atlas.most(device, block, layers=5)
    assert 1 <= most <= Atlas.most(device, block)
    assert device.can_hold(*Atlas.of(device, block, most).size(device, block), 5)


@pytest.mark.parametrize("group", [(8, 2), (32, 2)])
def test_groups_of_two_rows_list_each_tile_once(group: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a GPU; what leaves the world would be counted twice."""
    monkeypatch.setattr(Device, "group_size", group)
    firsts = [World(40, 70, ("flow",), edges="open", seed=number) for number in range(3)]
    for first in firsts:
        first["mass"][5:, 3:60] = FULL
    with Batch(firsts) as batch:
        batch.step(6)
        assert_alone(batch, firsts, [6] * 3)
        assert all(world.ledger.left > 0 for world in batch.read())


def test_worlds_beside_unused_columns_of_a_texture_are_as_they_are_alone() -> None:
    """Rows of two blocks of 64 cells would be 128 texels apart, so there is a column of texels more."""
    firsts = [World(64, 64, ("flow",), seed=number) for number in range(4)]
    for number, first in enumerate(firsts):
        first["mass"][4 + number :, number:40] = FULL
    with Batch(firsts) as batch:
        assert batch._sheets[0]._planes["mass"].read.width == 129
        batch.step(9)
        assert_alone(batch, firsts, [9] * 4)
        assert batch.late("mass") is None
        batch.reset([True, False, False, True])
        batch.step(5)
        assert_alone(batch, firsts, [5, 14, 14, 5])


@pytest.mark.long("the programs of pictures")
@pytest.mark.parametrize("sheet", [2, 1])
def test_frames_are_those_of_each_world_alone(sheet: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_batch, "worlds_a_sheet", lambda *_: sheet)
    worlds = [random_atoms(16, 24, luck=luck, seed=luck) for luck in (1, 2)]
    with Batch(worlds) as batch:
        batch.step(3)
        frames = batch.frames(3)
        for number, world in enumerate(worlds):
            with Simulation(world) as alone:
                alone.step(3)
                np.testing.assert_array_equal(frames[number], alone.frame(3))
        for overlay in ("tiles", "moves"):
            with pytest.raises(UsageError, match="shows more than the state"):
                batch.frames(overlay=overlay)


def test_bad_calls_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="count: None; expected how many worlds"):
        Batch(pool())
    with pytest.raises(UsageError, match="expected Worlds, at least one"):
        Batch([])
    with monkeypatch.context() as small:
        small.setattr(Device, "free_memory", 1 << 24)
        with pytest.raises(ShortageError, match=r"^worlds: 1000 times .*at most \d+ would fit"):
            Batch([pool()] * 1000)
    with pytest.raises(UsageError, match="seeds: 1 of them; expected 3"):
        Batch(pool(), count=3, seeds=[1])
    with pytest.raises(ShortageError, match=r"are free .*: at most \d+ would fit"):
        Batch(pool(), count=10**9)
    with pytest.raises(ShortageError, match=r"are free .*: at most \d+ would fit"):
        Batch(pool(), count=2**70)
    with pytest.raises(UsageError, match="seeds: 3 of them; expected 2"):
        Batch([pool(), pool()], seeds=[1, 2, 3])
    bad = pool()
    bad["mass"][0, 0] = -1
    with pytest.raises(WorldError, match=r"worlds\[1\].mass"):
        Batch([pool(), bad])


def test_a_refused_reset_changes_nothing() -> None:
    with Batch(pool(), count=3) as batch:
        batch.step(4)
        before, ticks = batch.digests(), batch.ticks
        every = [True] * 3
        refused: list[tuple[tuple[Any, ...], str]] = [
            (([True, False],), r"mask: bool of shape \(2,\); expected 3 truth values"),
            (([0, 1, 0],), "mask: int"),
            ((every, [pool()]), "worlds: 1 of them; expected 3"),
            ((every, pool(edges="open")), r"worlds\[0\].edges: 'open'; expected 'closed', as those of the batch"),
            ((every, None, [1, 2]), "seeds: 2 of them; expected 3"),
            ((every, None, [1, 2, -1]), r"seeds\[2\]: -1"),
            ((every, None, 7), "seeds: 7; expected a list of 3"),
            ((every, 7), "worlds: 7; expected a list of 3"),
            (([[True], [True, False]],), "mask: .*expected 3 truth values"),
            (([False] * 3, pool(edges="open")), r"worlds\[0\].edges: 'open'; expected 'closed'"),
        ]
        for arguments, message in refused:
            with pytest.raises(UsageError, match=message):
                batch.reset(*arguments)
        assert batch.digests() == before
        np.testing.assert_array_equal(batch.ticks, ticks)
        batch.step(2)
        assert batch.digests()[0] == oracle.step(pool(), 6).digest()
    with pytest.raises(UsageError, match="this batch is closed"):
        batch.step()
