"""`Batch.paint`: each world is as it is alone with the same stroke, and its ledgers and its rest, too."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from support.batches import random_worlds, room_for_one
from support.strokes import stroke_of

from gpufluid import FULL, Adding, Batch, Chance, Laying, World
from gpufluid.core.errors import DeviceError, UsageError, WorldError
from gpufluid.core.fields import COUNT_LIMIT
from gpufluid.core.runs import Runs
from gpufluid.gpu.growing import SentContent
from gpufluid.runtime import batch as runtime_batch
from gpufluid.runtime.editing import Workbench

pytestmark = pytest.mark.usefixtures("device")


def random_cells(count: int, height: int, width: int, luck: int) -> np.ndarray:
    """Cells of each world: none, a few, or most; (count, height, width) bool."""
    rng = np.random.default_rng(luck)
    shares = rng.permutation(np.linspace(0.0, 0.9, count))
    return rng.random((count, height, width)) < shares[:, None, None]


def hold_law(rules: tuple[str, ...], luck: int, **laws: Any) -> None:
    """Paint in the worlds of a batch and in each of them alone, with ticks between; compare state and ledgers."""
    firsts = random_worlds(rules, luck, **laws)
    count, (height, width) = len(firsts), (firsts[0].height, firsts[0].width)
    random, kinds = Random(luck), set()
    alone = [Workbench(first) for first in firsts]
    with Batch(firsts) as batch:
        for number in range(4):
            strokes = [stroke_of(random, firsts[0]) for _ in range(count)]
            own = [None if random.random() < 0.2 else stroke for stroke in strokes]
            cells, mask = random_cells(count, height, width, luck + number), [random.random() < 0.8 for _ in firsts]
            batch.paint(cells, own, mask)
            for world, stroke, touched, chosen in zip(alone, own, cells, mask, strict=True):
                if stroke and chosen:
                    world.paint(Runs.of_mask(0, 0, touched), stroke)
                    kinds.add(type(stroke))
            assert batch.digests() == [world.digest() for world in alone], strokes
            assert batch.ledgers == [world.ledgers for world in alone], strokes
            assert batch.settled.tolist() == [world.settled for world in alone]
            batch.step(2)
            for world in alone:
                world.step(2)
        assert batch.digests() == [world.digest() for world in alone]
        assert Laying in kinds
        assert (Adding in kinds) == ("temperature" in firsts[0].fields)
    for world in alone:
        world.close()


def test_each_world_is_painted_as_it_is_alone() -> None:
    hold_law(("flow",), 3, edges="wrap", gravity="left")


EVERY = [
    (("atoms", "heat", "reactions"), 1, "closed", "down"),
    (("flow", "inertia", "atoms", "heat"), 2, "open", "up"),
    (("mixture", "pressure"), 3, "wrap", "down"),
    (("atoms", "mixture"), 4, "closed", "off"),
]


@pytest.mark.long("sets of rules, of which each has programs of its own")
@pytest.mark.parametrize(("rules", "luck", "edges", "gravity"), EVERY)
def test_the_law_holds_for_every_rule(rules: tuple[str, ...], luck: int, edges: str, gravity: str) -> None:
    hold_law(rules, luck, edges=edges, gravity=gravity)


def pool(**laws: Any) -> World:
    world = World(16, 24, ("flow",), **laws)
    world["mass"][4:, :6] = FULL
    return world


WATER, WALL = Laying("water"), Laying("wall")


def test_one_stroke_for_all_worlds_on_several_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_batch, "worlds_a_sheet", lambda *_: 2)
    cells = np.zeros((16, 24), bool)
    cells[2:5, 10:14] = True
    with Batch(pool(), count=5) as batch, Workbench(pool()) as alone:
        batch.paint(cells, WALL, [True, False, True, False, False])
        alone.paint(Runs.of_mask(0, 0, cells), WALL)
        batch.step(3)
        alone.step(3)
        painted = alone.read()
        alone.restore(pool())
        alone.step(3)
        for number, expected in enumerate([painted, alone.read(), painted, alone.read(), alone.read()]):
            np.testing.assert_array_equal(batch.read()["mass"][number], expected["mass"])
            np.testing.assert_array_equal(batch.read()["material"][number], expected["material"])


def test_more_runs_than_a_dispatch_has_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpufluid.gpu.batch_editing.GROUPS_LIMIT", 5)
    cells = random_cells(3, 16, 24, 1)
    with Batch(pool(), count=3, seeds=[0, 0, 0]) as batch:
        batch.paint(cells, [WALL, WATER, WALL])
        material = batch.read()["material"]
        for number, wall in enumerate((1, 0, 1)):
            np.testing.assert_array_equal(material[number] > 0, cells[number] & bool(wall))


def test_strokes_are_divided_into_parts_that_fit_in_a_storage_buffer(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = random_cells(5, 16, 24, 1)
    strokes = [WALL, WATER, Laying("wall", spares_walls=True), WALL, WATER]
    with Batch(pool(), count=5) as whole, Batch(pool(), count=5) as batch:
        whole.paint(cells, strokes)
        most = 4 * (5 * 16 + 2 + 3 * 40)  # records of five worlds, a laid cell and 40 runs; a world has up to 100
        monkeypatch.setattr(batch._device, "storage_bytes", most)
        written: list[int] = []
        write = SentContent.write
        monkeypatch.setattr(
            SentContent, "write", lambda own, content: (written.append(len(content)), write(own, content))[1]
        )
        batch.paint(cells, strokes)
        editing = batch._sheets[0]._editing
        assert editing is not None
        assert editing._given.size <= most
        assert len(written) > 3
        assert max(written) <= most
        assert batch.digests() == whole.digests()
        assert batch.ledgers == whole.ledgers


@pytest.mark.parametrize("velocity", [[1.0, -2.0], np.array([1.0, -2.0])])
def test_a_velocity_can_be_a_list_or_an_array(velocity: Any) -> None:
    cells = np.ones((4, 4), bool)
    stroke, same = Laying("sand", velocity=velocity), Laying("sand", velocity=(1.0, -2.0))
    assert stroke == same
    with Batch(World(4, 4, ("atoms",)), count=3, seeds=[0, 0, 0]) as batch, Workbench(World(4, 4, ("atoms",))) as alone:
        batch.paint(cells, stroke, [True, False, False])
        batch.paint(cells, [None, stroke, same])
        alone.paint(Runs.of_mask(0, 0, cells), stroke)
        alone.paint(Runs.of_mask(0, 0, cells), stroke)
        assert batch.digests() == [alone.digest()] * 3
        assert (batch.read()["velocity"] == (16, -32)).all()


def test_random_bytes_are_drawn_by_the_seed_of_each_world() -> None:
    cells = np.ones((8, 8), bool)
    with Batch(World(8, 8, ("atoms",)), count=3, seeds=[1, 1, 2]) as batch:
        batch.paint(cells, Laying("sand", serial=7, chance=Chance(0.5, 3)))
        state = batch.read()
        same, other = (np.array_equal(state["grain"][0], state["grain"][number]) for number in (1, 2))
        assert (same, other) == (True, False)
        assert 15 < np.count_nonzero(state["material"][0]) < 50


@pytest.mark.parametrize("rules", [("flow",), ("atoms",)])
def test_a_painted_world_rests_when_it_would_alone(rules: tuple[str, ...]) -> None:
    cells = np.zeros((8, 8), bool)
    cells[6:, 3:5] = True
    still = World(8, 8, rules)
    with Batch(still, count=2, seeds=[0, 0]) as batch, Workbench(still) as alone:
        batch.step(40)
        alone.step(40)
        assert batch.settled.tolist() == [True, True]
        batch.paint(cells, WALL, [False, True])
        alone.paint(Runs.of_mask(0, 0, cells), WALL)
        rests = []
        for _ in range(40):
            assert batch.settled.tolist() == [True, alone.settled]
            rests.append(alone.settled)
            batch.step()
            alone.step()
        assert not any(rests[: 1 + ("atoms" in rules)])
        assert rests[-1]


REFUSED: list[tuple[tuple[Any, ...], str]] = [
    ((np.zeros((16, 25), bool), WALL), r"cells: bool of shape \(16, 25\); expected an array of bool of shape"),
    ((np.zeros((16, 24)), WALL), "cells: float64 of shape"),
    (([[True]], WALL), "cells: .*expected an array of bool"),
    ((np.ones((16, 24), bool), [WALL, WALL]), "strokes: .*expected a Laying or an Adding, or a list of 3"),
    ((np.ones((16, 24), bool), "wall"), "strokes: 'wall'; expected a Laying"),
    ((np.ones((16, 24), bool), [WALL, "wall", None]), r"strokes\[1\]: 'wall'; expected a Laying, an Adding or None"),
    ((np.ones((16, 24), bool), [None, Laying("wal"), None]), r"strokes\[1\].material: unknown material 'wal'"),
    ((np.ones((16, 24), bool), Laying("sand")), r"strokes.material"),
    ((np.ones((16, 24), bool), Laying("wall", replaced="x")), r"strokes.replaced: unknown material"),
    ((np.ones((16, 24), bool), Laying("water", amount=1.5)), r"strokes.amount: 1.5; expected 0 to 1 full cells"),
    ((np.ones((16, 24), bool), Laying("water", serial=0.5)), r"strokes.serial: 0.5; expected a whole"),  # pyright: ignore[reportArgumentType]
    ((np.ones((16, 24), bool), Laying("water", chance=Chance(-1))), r"strokes.chance.share: -1; expected"),
    ((np.ones((16, 24), bool), [None, WALL, Laying("water", amount=[1])]), r"strokes\[2\].amount: \[1\]; expected 0"),  # pyright: ignore[reportArgumentType]
    ((np.ones((16, 24), bool), Laying(["wall"])), r"strokes.material: \['wall'\]"),  # pyright: ignore[reportArgumentType]
    ((np.ones((16, 24), bool), [None, None, Laying("wall", replaced={})]), r"strokes\[2\].replaced: \{\}"),  # pyright: ignore[reportArgumentType]
    ((np.ones((16, 24), bool), Laying("water", velocity={})), r"strokes.velocity: \{\}"),  # pyright: ignore[reportArgumentType]
    ((np.ones((16, 24), bool), Adding("temperature", 8)), r"strokes.field: a brush cannot add to 'temperature'"),
    ((np.ones((16, 24), bool), WALL, [True]), "mask: bool of shape"),
]


def test_a_refused_stroke_changes_nothing() -> None:
    with Batch(pool(), count=3) as batch:
        batch.step(2)
        before, ledgers = batch.digests(), batch.ledgers
        for arguments, message in REFUSED:
            with pytest.raises(UsageError, match=message):
                batch.paint(*arguments)
        assert (batch.digests(), batch.ledgers) == (before, ledgers)
    with pytest.raises(UsageError, match="this batch is closed"):
        batch.paint(np.ones((16, 24), bool), WALL)


def test_too_little_memory_for_strokes_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """On two sheets, of which the first one finds room."""
    monkeypatch.setattr(runtime_batch, "worlds_a_sheet", lambda *_: 2)
    firsts, comb = [World(64, 200, ("flow",), seed=number) for number in range(3)], np.zeros((64, 200), bool)
    comb[:, ::2] = True  # so many runs of cells that the buffers grow
    with Batch(firsts) as batch:
        batch.paint(np.ones((64, 200), bool), Laying("water"))
        before, ledgers = batch.digests(), batch.ledgers
        with room_for_one(batch._device) as found, pytest.raises(DeviceError, match="too little memory"):
            batch.paint(comb, WALL)
        assert found
        assert (batch.digests(), batch.ledgers) == (before, ledgers)
        batch.paint(comb, WALL)
        assert batch.digests() != before


def test_an_entry_at_its_limit_is_named_and_a_reset_makes_room() -> None:
    full, cells = pool(), np.ones((16, 24), bool)
    full.ledgers["mass"] = type(full.ledgers["mass"])(erased=COUNT_LIMIT - 5)
    with Batch([pool(), full]) as batch:
        before = batch.digests()
        with pytest.raises(WorldError, match=r"worlds\[1\].ledger.erased: .*an edit of 384 cells could change it"):
            batch.paint(cells, WALL)
        assert batch.digests() == before
        batch.paint(cells, WALL, [True, False])
        batch.reset([False, True], pool())
        batch.paint(cells, WALL)
        assert not batch.read()["mass"].any()
