"""Strokes run on the device: nothing is read back while one is drawn, and its copies for undo stay there."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

from gpufluid import World
from gpufluid.core.errors import DeviceError, UsageError
from gpufluid.core.runs import Runs
from gpufluid.gpu.device import Device
from gpufluid.gpu.edit_copies import EditCopies
from gpufluid.gpu.ledger import LedgerBuffer
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.matter.materials import SHIPPED, MaterialTable
from gpufluid.runtime.editing import Workbench
from gpufluid.scene.strokes import Adding, Laying, Stroke
from gpufluid.viewer import pacing
from gpufluid.viewer.history import History
from gpufluid.viewer.viewer import Viewer

pytestmark = pytest.mark.usefixtures("device")


@pytest.fixture
def viewer(paused_viewer: Callable[..., Viewer]) -> Viewer:
    """A paused viewer of an empty world of 90 x 70 cells, whose tool lays sand and has met a wall before."""
    world = World(70, 90, ("atoms", "heat", "reactions"), seed=3)
    world["material"][68:] = world.materials["wall"]
    viewer = paused_viewer(world)
    viewer.do("material", name="sand")
    viewer.told_of_walls = True
    return viewer


@pytest.fixture
def long_tick(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A function that begins a tick, of which each frame of the running viewer then runs one pass."""
    part_of_tick = Workbench.step_within
    monkeypatch.setattr(Workbench, "step_within", lambda sim, ticks, _: part_of_tick(sim, ticks, 0.0))
    clock = count()
    seconds = SimpleNamespace(perf_counter=lambda: 0.6 * pacing.TICK_BUDGET * next(clock))
    monkeypatch.setattr(pacing, "time", seconds)
    frames = count(1)

    def begin() -> None:
        viewer.clock.paused = False
        while not viewer.in_long_tick:
            viewer.advance(next(frames) / 10)

    return begin


def pixel(viewer: Viewer, column: int, row: int) -> tuple[float, float]:
    return viewer.camera.pixel_of((column + 0.5, row + 0.5))


def end_tick(viewer: Viewer) -> None:
    tick = viewer.sim.tick
    for frame in range(1000):
        viewer.advance(100.0 + frame / 10)
        if viewer.sim.tick != tick:
            return


def test_a_stroke_waits_for_the_end_of_a_long_tick_and_the_window_does_not(
    viewer: Viewer, long_tick: Callable[[], None]
) -> None:
    long_tick()
    tick = viewer.sim.tick
    viewer.pointer.press("left", *pixel(viewer, 10, 5))
    for column in (20, 30, 40):
        viewer.pointer.move(*pixel(viewer, column, 5))
        assert viewer.in_long_tick
        assert viewer.sim.tick == tick
    viewer.pointer.release("left", *pixel(viewer, 40, 5))
    viewer.pointer.press("right", *pixel(viewer, 30, 5))
    viewer.pointer.release("right", *pixel(viewer, 30, 5))
    assert [entry.name for entry in viewer.log if entry.name == "paint"] == []
    end_tick(viewer)
    assert [entry.tick for entry in viewer.log if entry.name == "paint"] == [tick + 1] * 5
    row = viewer.sim.read()["material"][5]
    assert row[9:42].astype(bool).sum() == 33 - 5, "all that was drawn, without what was wiped away"
    viewer.do("undo")
    viewer.do("undo")
    assert sand(viewer) == 0


def test_what_waits_is_done_before_another_action(viewer: Viewer, long_tick: Callable[[], None]) -> None:
    long_tick()
    viewer.pointer.press("left", *pixel(viewer, 10, 5))
    viewer.pointer.release("left", *pixel(viewer, 10, 5))
    viewer.do("paint", points=[(10, 5)], mode="erase")
    assert sand(viewer) == 0
    assert [entry.name for entry in viewer.log][-2:] == ["paint", "paint"]


@pytest.mark.parametrize("act", ["pause", "step"])
def test_what_waits_is_done_when_time_is_paused(viewer: Viewer, long_tick: Callable[[], None], act: str) -> None:
    long_tick()
    tick = viewer.sim.tick
    viewer.pointer.press("left", *pixel(viewer, 10, 5))
    viewer.pointer.release("left", *pixel(viewer, 10, 5))
    viewer.do(act)
    viewer.advance(500.0)
    assert sand(viewer) > 0
    assert [entry.tick for entry in viewer.log if entry.name == "paint"] == [tick + 1]


def sand(viewer: Viewer) -> int:
    return viewer.sim.counts()["sand"]


def test_a_stroke_reads_nothing_from_the_device(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    viewer.do("paint", points=[(10, 10), (20, 12)])
    read: list[str] = []
    for owner, name in (
        (PlaneTextures, "read_window"),
        (PlaneTextures, "read_into"),
        (PlaneTextures, "field"),
        (LedgerBuffer, "_read"),
    ):
        monkeypatch.setattr(owner, name, lambda *_, name=name: read.append(name))
    for step in range(20):
        viewer.do("paint", points=[(20 + step, 12), (21 + step, 13)], more=True)
    viewer.do("paint", points=[(10, 30)], mode="erase")
    viewer.do("heat", points=[(10, 10), (30, 12)], degrees=50.0)
    assert read == []
    monkeypatch.undo()
    assert sand(viewer) > 20


def test_a_large_stroke_is_undone_and_laid_again(viewer: Viewer) -> None:
    """Its copies lie in many tiles, some of them cut by the edges of the world, and it crosses itself."""
    before = viewer.sim.digest()
    viewer.do("brush_size", cells=40)
    for points in ([(0, 0), (89, 69)], [(89, 0), (0, 69)], [(45, 0), (45, 69)]):
        viewer.do("paint", points=points, more=True)
    viewer.do("paint", points=[(45, 40)], more=True, mode="erase")
    painted = viewer.sim.digest()
    viewer.do("undo")
    assert viewer.sim.digest() == before
    viewer.do("redo")
    assert viewer.sim.digest() == painted


def test_a_stroke_of_several_ticks_keeps_its_part_before_a_tick_gone_back_to(viewer: Viewer) -> None:
    viewer.do("material", name="wall")
    for column in (10, 30, 50):
        viewer.do("paint", points=[(column, 10)], more=column > 10)
        viewer.do("step")
    floor, disc = 180, (viewer.sim.counts()["wall"] - 180) // 3
    viewer.do("rewind", ticks=2)
    assert (viewer.sim.tick, viewer.sim.counts()["wall"]) == (1, floor + 2 * disc)
    viewer.do("undo")
    assert viewer.sim.counts()["wall"] == floor
    viewer.do("redo")
    assert viewer.sim.counts()["wall"] == floor + 2 * disc


def test_a_stroke_that_changes_nothing_keeps_what_can_be_laid_again(viewer: Viewer) -> None:
    viewer.do("paint", points=[(10, 10)])
    viewer.do("undo")
    viewer.unsaved = False
    viewer.do("rectangle", start=(0, 68), end=(89, 69))  # walls hold it off
    viewer.do("heat", points=[(40, 20)], degrees=50.0)  # no atom is there
    assert (viewer.history.can_redo, viewer.history.can_undo, viewer.unsaved) == (True, False, False)
    viewer.do("redo")
    assert sand(viewer) > 10


def test_copies_beyond_the_budget_begin_another_edit(viewer: Viewer) -> None:
    """So a brush that is held for minutes takes a bounded memory, and can be undone in parts."""
    viewer.history = History(viewer.sim.read(), budget=(budget := 200_000))
    viewer.do("material", name="wall")
    for row in range(4, 64, 2):
        viewer.do("paint", points=[(4, row), (85, row)], more=row > 4)
    assert len(viewer.history._done) > 1
    assert sum(edit.nbytes for edit in viewer.history._done) <= budget
    walls = viewer.sim.counts()["wall"]
    viewer.do("undo")
    assert 180 < viewer.sim.counts()["wall"] < walls


def test_the_memory_of_a_forgotten_edit_is_released(viewer: Viewer) -> None:
    device = viewer.sim.device
    viewer.history = History(viewer.sim.read(), budget=1)
    held = []
    for column in range(5, 85, 5):
        viewer.do("paint", points=[(column, 10)])
        held.append(viewer.sim.memory.held)
    assert max(held) - min(held[2:]) < 40_000, "at most a few tiles more than at first"
    viewer.history = History(viewer.sim.read())
    assert device.unused
    with device:
        device.buffer(16).release()
    assert not device.unused


def test_copies_outlive_the_simulation_in_which_they_were_made(viewer: Viewer) -> None:
    before = viewer.sim.digest()
    viewer.do("paint", points=[(10, 10), (30, 12)])
    viewer.do("overlay", name="moves")  # a new simulation, which traces atoms
    viewer.do("paint", points=[(30, 12), (40, 20)], more=True)
    viewer.do("undo")
    assert viewer.sim.digest() == before


def test_copies_are_divided_among_buffers(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpufluid.gpu.edit_copies._CHUNK_BYTES", 20_000)
    before = viewer.sim.digest()
    viewer.do("rectangle", start=(3, 3), end=(80, 60))
    edit = viewer.history._done[-1]
    assert isinstance(edit.copies, EditCopies)
    assert len(edit.copies._chunks) > 3
    viewer.do("undo")
    assert viewer.sim.digest() == before


def test_a_stroke_is_repeated_when_time_goes_back(viewer: Viewer) -> None:
    """What a stroke leaves as it is depends on the cells that it meets, so it is repeated exactly."""
    viewer.do("shape", name="spray")
    digests = []
    for tick in range(6):
        viewer.do("paint", points=[(10 + tick, 40)], more=tick > 0, held=tick > 0)
        viewer.do("heat", points=[(10, 45), (20, 60)], degrees=30.0, more=True)
        digests.append(viewer.sim.digest())
        viewer.do("step")
    for tick in (4, 1, 3):
        now = viewer.sim.tick
        if tick < now:
            viewer.do("rewind", ticks=now - tick)
            assert viewer.sim.digest() == digests[tick]
    assert np.count_nonzero(viewer.sim.read()["temperature"]) > 0


def test_a_wall_that_was_spared_is_named_by_the_world_that_had_it(viewer: Viewer) -> None:
    """Strokes note it by its number, which means another material in the world that is opened next, or none."""
    viewer.told_of_walls = False
    viewer.do("paint", points=[(10, 69)])
    few = MaterialTable(tuple(each for each in SHIPPED if each.name in ("empty", "sand", "wall")))
    viewer.open(World(70, 90, ("atoms",), materials=few), "few")
    assert [message.text.split(":")[0] for message in viewer.messages] == ["You cannot paint over wall"]


def test_strokes_go_on_after_one_for_which_there_was_no_memory(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    viewer.do("paint", points=[(10, 10)])
    held, before = viewer.sim.counts()["sand"], viewer.sim.digest()
    with monkeypatch.context() as patch:
        patch.setattr(Device, "buffer", lambda *_, **__: (_ for _ in ()).throw(DeviceError("too little memory")))
        viewer.attempt(lambda: viewer.do("rectangle", start=(0, 0), end=(89, 60)))
    assert viewer.messages[-1].text == "too little memory"
    assert viewer.sim.digest() == before
    viewer.do("paint", points=[(40, 40)])
    assert viewer.sim.counts()["sand"] > held


def test_a_stroke_that_changes_nothing_drops_no_edit(viewer: Viewer) -> None:
    viewer.history = History(viewer.sim.read(), budget=20_000)
    viewer.do("paint", points=[(10, 10)])
    for _ in range(3):
        viewer.do("rectangle", start=(0, 68), end=(89, 69))  # of wall, which is spared
    viewer.do("undo")
    assert viewer.sim.counts()["sand"] == 0


def test_many_strokes_without_a_tick_are_not_all_repeated(viewer: Viewer) -> None:
    """Else going back in time would take the longer, the longer one has drawn."""
    viewer.history = History(viewer.sim.read(), budget=1 << 23)
    for number in range(60):
        viewer.do("paint", points=[(10 + number, 10)])
    viewer.do("step")
    repeated = []
    viewer.history.back_to(0, lambda _, events, __: repeated.extend(events))
    assert len(repeated) < 30


def test_copies_take_what_they_are_said_to_take(viewer: Viewer) -> None:
    copies = viewer.sim.new_copies()
    for mask in (np.ones((3, 3), bool), np.ones((40, 33), bool), np.ones((68, 90), bool)):
        runs = Runs.of_mask(0, 0, mask)
        expected = copies.bytes_with(runs)
        viewer.sim.paint(runs, Laying("sand"), copies)
        assert copies.nbytes == expected
    assert copies.nbytes == copies.bytes_with(runs)


@pytest.mark.parametrize(
    ("cells", "stroke", "message"),
    [
        ((69, 88, 91), Laying("sand"), "cells (88, 69) to (90, 69): not all in (90, 70)"),
        ((-1, 0, 1), Laying("sand"), "cells (0, -1) to (0, -1): not all in (90, 70)"),
        ((0, 0, 1), Laying("sand", velocity=(100, 0)), "velocity: (100, 0); expected two numbers from -7"),
        ((0, 0, 1), Adding("temprature", 3), "field: a brush cannot add to 'temprature'; did you mean 'temperature'?"),
        ((0, 0, 1), Adding("velocity", 3), "field: a brush cannot add to 'velocity'"),
        ((0, 0, 1), Adding("material", 3), "field: a brush cannot add to 'material'"),
        (
            (0, 0, 1),
            Adding("temperature", 1e9),
            "amount: 1000000000.0; expected at most 2,097,152 degrees C",
        ),
        ((0, 0, 1), Laying("sand", amount=1.5), "amount: 1.5; expected 0 to 1 full cells"),
    ],
)
def test_a_stroke_that_the_world_cannot_take_is_refused(
    viewer: Viewer, cells: tuple[int, int, int], stroke: Stroke, message: str
) -> None:
    before = viewer.sim.digest()
    with pytest.raises(UsageError, match=re.escape(message)):
        viewer.sim.paint(Runs(np.array([cells], np.int32)), stroke)
    assert viewer.sim.digest() == before
    assert viewer.sim.atoms["sand"].painted == 0


def test_a_stroke_to_a_cell_far_away_is_exact_or_refused(viewer: Viewer) -> None:
    viewer.do("line", start=(0, 0), end=(1 << 20, 1 << 20))
    assert viewer.sim.counts()["sand"] > 60
    with pytest.raises(UsageError, match="too far from the world"):
        viewer.do("line", start=(0, 0), end=(10**10, 5))
    with pytest.raises(UsageError, match="too far from the world"):
        viewer.do("heat", points=[(0, 0), (5, -(10**10))])


def test_paused_time_stands_still_at_the_end_of_a_tick(viewer: Viewer, long_tick: Callable[[], None]) -> None:
    """Else the window would show a world in which half of the passes of a tick have run."""
    long_tick()
    tick = viewer.sim.tick
    viewer.clock.paused = True
    for frame in range(200):
        viewer.advance(200.0 + frame / 10)
    assert viewer.sim.tick == tick + 1
    assert not viewer.sim.in_tick
