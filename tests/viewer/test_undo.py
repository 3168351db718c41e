"""Undo takes back the cells of an edit, not the time; going back in time is an action of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from support.scenes import assert_balanced
from support.selection import mostly_long

from gpufluid import World
from gpufluid.viewer import viewer as viewers
from gpufluid.viewer.history import History
from gpufluid.viewer.viewer import Viewer, replay

pytestmark = pytest.mark.usefixtures("device")


@pytest.fixture(params=["atoms", "atoms+heat+reactions", "flow", "mixture+pressure"])
def viewer(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    """A paused viewer: a floor of wall and some sand or water in the air, 40 x 24 cells."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    world = World(24, 40, tuple(request.param.split("+")), seed=3)
    world["material"][22:] = world.materials["wall"]
    viewer = Viewer(world, window=(400, 240))
    viewer.clock.paused = True
    viewer.do("material", name="water")
    viewer.do("rectangle", start=(2, 2), end=(12, 9))
    viewer.history = History(viewer.sim.read())
    yield viewer
    viewer.close()


def cells(viewer: Viewer, at: tuple[int, int], size: tuple[int, int]) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in viewer.sim.read_window(at, size).items()}


def test_undo_leaves_time_and_all_other_cells_as_they_are(viewer: Viewer) -> None:
    viewer.do("step", ticks=3)
    there = cells(viewer, (25, 5), (5, 5))
    viewer.do("material", name="wall")
    viewer.do("rectangle", start=(25, 5), end=(29, 9))
    viewer.do("step", ticks=8)
    now = viewer.sim.read()
    viewer.do("undo")
    after = viewer.sim.read()
    assert after.tick == now.tick == 11
    assert cells(viewer, (25, 5), (5, 5)) == there
    for name in now.fields:
        now[name][..., 5:10, 25:30] = after[name][..., 5:10, 25:30] if now[name].ndim != 3 or name == "mixture" else 0
        if name == "velocity":
            now[name][5:10, 25:30] = after[name][5:10, 25:30]
            continue
        np.testing.assert_array_equal(after[name], now[name])
    viewer.do("redo")
    assert (viewer.sim.read()["material"][5:10, 25:30] == now.materials["wall"]).all()
    viewer.do("redo")
    assert viewer.messages[-1].text == "nothing to redo"


def matter_in(world: World) -> int:
    """All matter of a world: units of mass or of its mixture, or else atoms."""
    amounts = [name for name in ("mass", "mixture") if name in world.fields]
    return sum(int(world[name].sum(dtype=np.int64)) for name in amounts) or int(np.count_nonzero(world["material"]))


def poured(viewer: Viewer) -> tuple[tuple[int, str], World]:
    """Pour for some ticks, and let it run. Returns: tick and digest before it, and the world now."""
    before = viewer.sim.tick, viewer.sim.digest()
    for tick in range(6):
        viewer.do("paint", points=[(25, 3), (30, 8)], more=tick > 0)
        viewer.do("step")
    viewer.do("step", ticks=60)
    return before, viewer.sim.read()


def test_undo_of_what_has_moved_goes_back_to_before_the_stroke_and_redo_forward_again(viewer: Viewer) -> None:
    before, now = poured(viewer)
    viewer.do("undo")
    assert (viewer.sim.tick, viewer.sim.digest()) == before
    said = viewer.messages[-1]
    assert said.text == (
        "its matter has moved on, so time is back at tick 0, before the stroke; Redo (Ctrl+Shift+Z) goes forward again"
    )
    assert said.offer == ("Keep the time, take back what still lies", "undo_in_place")
    viewer.do("redo")
    assert viewer.sim.read() == now
    viewer.do("undo")
    assert (viewer.sim.tick, viewer.sim.digest()) == before
    viewer.do("undo")
    assert viewer.messages[-1].text == "nothing to undo"


def test_the_time_is_kept_if_wanted_and_nothing_brought_back(viewer: Viewer) -> None:
    """What is poured falls through cells of the same stroke; no cell in the air may get such a drop again."""
    before, now = poured(viewer)
    viewer.do("undo")
    viewer.do("step", ticks=3)
    viewer.do("undo_in_place")
    after = viewer.sim.read()
    assert after.tick == now.tick
    assert matter_in(after) <= matter_in(now)
    assert "has moved" in viewer.messages[-1].text
    viewer.do("back_before_edit")
    assert (viewer.sim.tick, viewer.sim.digest()) == before, "the stroke is still the last one"


def test_each_undo_goes_back_before_one_stroke_more(viewer: Viewer) -> None:
    """Also where a stroke that still lies is between them: that one is taken back in place."""
    first, _ = poured(viewer)
    viewer.do("material", name="wall")
    viewer.do("paint", points=[(3, 19)])
    viewer.do("material", name="water")
    third, now = poured(viewer)
    viewer.do("undo")
    assert (viewer.sim.tick, viewer.sim.digest()) == third
    viewer.do("undo")
    assert viewer.sim.tick == third[0]
    assert viewer.sim.digest() != third[1]
    viewer.do("undo")
    assert (viewer.sim.tick, viewer.sim.digest()) == first
    assert len([each for each in viewer.messages if each.offer]) == 1, "only the last undo can be had in place"
    for _ in range(3):
        viewer.do("redo")
    assert viewer.sim.read() == now


def moved_on(viewer: Viewer) -> None:
    """Paint a stroke of wall, and a stroke of water whose matter is then gone from all of its cells."""
    viewer.do("material", name="wall")
    viewer.do("paint", points=[(36, 20)])
    viewer.do("material", name="water")
    viewer.do("paint", points=[(25, 3), (30, 3)])
    wipe(viewer, (20, 0), (15, 8))


def wipe(viewer: Viewer, at: tuple[int, int], size: tuple[int, int]) -> None:
    """Empty a rectangle of cells, as time does whose matter has moved on."""
    cells = viewer.sim.read_window(at, size)
    viewer.sim.write_window(at, {name: np.zeros_like(array) for name, array in cells.items()})


def test_undo_again_takes_the_stroke_before_one_that_has_moved_on(viewer: Viewer) -> None:
    moved_on(viewer)
    viewer.unsaved = False
    assert viewer.sim.read()["material"][20, 36] != 0
    viewer.do("undo_in_place")
    back = "all of it has moved on; Edit > Back to before the last stroke goes back in time"
    assert viewer.messages[-1].text == f"{back}; undo again takes the stroke before it"
    assert not viewer.unsaved, "nothing has changed"
    viewer.do("undo_in_place")
    assert viewer.sim.read()["material"][20, 36] == 0
    assert viewer.unsaved
    viewer.do("undo")
    assert viewer.messages[-1].text == "nothing to undo"


def test_the_only_stroke_can_be_gone_back_before_after_an_undo_that_took_nothing(viewer: Viewer) -> None:
    before = viewer.sim.digest()
    viewer.do("paint", points=[(25, 3), (30, 3)])
    wipe(viewer, (20, 0), (15, 8))
    for _ in range(2):
        viewer.do("undo_in_place")
        assert viewer.messages[-1].text.endswith("goes back in time")
    viewer.do("back_before_edit")
    assert viewer.sim.digest() == before


def test_a_stroke_whose_cells_have_changed_is_not_laid_again(viewer: Viewer) -> None:
    viewer.do("material", name="wall")
    for column in (25, 33):
        viewer.do("paint", points=[(column, 5)])
    viewer.do("undo")
    viewer.do("undo")
    other = viewer.sim.read_window((22, 2), (7, 7))
    other["material"][:] = viewer.sim.blank.materials["stone"]
    viewer.sim.write_window((22, 2), other)
    viewer.unsaved = False
    viewer.do("redo")
    refused = "its cells have changed since; it is not laid again"
    assert viewer.messages[-1].text == f"{refused}; redo again lays the stroke after it"
    assert not viewer.unsaved
    viewer.do("redo")
    material = viewer.sim.read()["material"]
    assert (material[5, 25], material[5, 33]) == tuple(viewer.sim.blank.materials[name] for name in ("stone", "wall"))


def test_undo_at_once_and_redo_restore_exact_digests(viewer: Viewer) -> None:
    before = viewer.sim.digest()
    viewer.do("paint", points=[(20, 5), (30, 12)])
    viewer.do("paint", points=[(30, 12)], mode="erase", more=True)
    painted = viewer.sim.digest()
    viewer.do("undo")
    assert viewer.sim.digest() == before
    viewer.do("undo")
    assert viewer.messages[-1].text == "nothing to undo"
    viewer.do("redo")
    assert viewer.sim.digest() == painted
    viewer.do("undo")
    assert viewer.sim.digest() == before


def test_ledgers_balance_through_strokes_and_undoing(viewer: Viewer) -> None:
    first = viewer.first
    for material, row in (("water", 4), ("sand" if "sand" in viewer.materials else "wall", 12)):
        viewer.do("material", name=material)
        viewer.do("paint", points=[(20, row), (34, row)])
        viewer.do("step", ticks=4)
        assert_balanced(first, viewer.sim.read())
    if "temperature" in first.fields:
        viewer.do("heat", points=[(5, 5), (20, 12)], degrees=300.0)
        viewer.do("step", ticks=4)
    for action in ("undo", "undo", "redo", "undo", "undo", "redo"):
        viewer.do(action)
        viewer.do("step", ticks=2)
        assert_balanced(first, viewer.sim.read())


def test_back_in_time_restores_the_exact_state_before_the_edit_and_redo_the_one_after(viewer: Viewer) -> None:
    digests = []
    for column in (5, 20, 30):
        digests.append((viewer.sim.tick, viewer.sim.digest()))
        viewer.do("paint", points=[(column, 5)])
        viewer.do("step", ticks=3)
    now = viewer.sim.tick, viewer.sim.digest()
    for expected in reversed(digests):
        viewer.do("back_before_edit")
        assert (viewer.sim.tick, viewer.sim.digest()) == expected
        assert viewer.messages[-1].text == f"back at tick {viewer.sim.tick}, before the stroke; Redo returns"
    for _ in range(3):
        viewer.do("redo")
    assert (viewer.sim.tick, viewer.sim.digest()) == now
    viewer.do("rewind", ticks=3)
    viewer.do("step", ticks=3)
    assert (viewer.sim.tick, viewer.sim.digest()) == now, "the earlier timeline can be rewound, too"


def test_an_undo_in_the_middle_of_a_stroke_ends_the_stroke(viewer: Viewer) -> None:
    before = viewer.sim.digest()
    viewer.pointer.press("left", 205, 55)
    viewer.pointer.move(255, 55)
    viewer.do("undo")
    assert viewer.sim.digest() == before
    viewer.pointer.move(305, 55)
    viewer.pointer.release("left", 305, 55)
    assert viewer.sim.digest() == before
    viewer.do("paint", points=[(20, 5), (30, 5)], more=True)
    viewer.do("undo")
    assert viewer.sim.digest() == before, "what goes on after an undo is an edit of its own"


def test_a_reset_is_undone_by_a_jump_to_the_world_before_it(viewer: Viewer) -> None:
    first = viewer.first
    viewer.do("paint", points=[(20, 5)])
    viewer.do("step", ticks=20)
    now = viewer.sim.read()
    viewer.do("reset")
    assert (viewer.sim.tick, viewer.sim.digest()) == (first.tick, first.digest())
    viewer.do("step", ticks=2)
    viewer.do("undo")
    assert (viewer.sim.tick, viewer.sim.digest()) == (20, now.digest())
    viewer.do("rewind", ticks=5)
    viewer.do("step", ticks=5)
    assert viewer.sim.digest() == now.digest()


def test_back_in_time_beyond_what_is_stored_is_said(viewer: Viewer) -> None:
    viewer.history = History(viewer.sim.read(), budget=1)
    viewer.do("material", name="wall")
    viewer.do("paint", points=[(20, 5)])
    for _ in range(5):
        viewer.do("step", ticks=1)
        viewer.history.keep(viewer.sim.read(), root=True)
    viewer.do("back_before_edit")
    assert viewer.sim.tick == 5
    assert viewer.messages[-1].text == (
        "too much has happened since the last edit to go back to before it; undo takes what still lies there"
    )
    wipe(viewer, (20, 5), (9, 9))
    viewer.do("undo")
    assert viewer.sim.tick == 5
    assert viewer.messages[-1].text == (
        "what has moved since then stays where it is; too much has happened since to go back in time"
    )
    assert not viewer.history.can_undo


KINDS = ("paint", "paint", "paint", "step", "step", "step", "undo", "undo", "redo", "back_before_edit", "rewind")
KINDS += ("rewind", "reset", "clear", "resize", "undo_in_place")
"""The actions of a session, the frequent ones several times."""


@pytest.mark.parametrize("seed", mostly_long(range(4), 0, why="another session of the same kinds of edits"))
def test_any_session_is_rewound_and_replayed_exactly(
    viewer: Viewer, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each tick of the present timeline is reached with its digest, whatever edits, undoing and jumps led to it."""
    monkeypatch.setattr(viewers, "_MANY", 1)
    random, digests = Random(seed), {}
    names = [name for name in ("water", "sand", "wall") if name in viewer.materials]
    viewer.first, viewer.log = viewer.sim.read(), viewer._tool_as_actions()
    for _ in range(40):
        before, last = viewer.sim.tick, viewer.history._done[-1] if viewer.history.can_undo else None
        kind = random.choice(KINDS)
        if kind == "paint":
            viewer.do("material", name=random.choice(names))
            points = [(random.randrange(40), random.randrange(22)) for _ in range(2)]
            viewer.do("paint", points=points, mode=random.choice(["paint", "erase", "replace"]))
        elif kind == "step":
            for _ in range(random.randrange(4)):
                digests[viewer.sim.tick] = viewer.sim.digest()
                viewer.do("step")
        elif kind == "resize":
            viewer.do("resize", width=random.choice([40, 44, 52]), height=random.choice([22, 26]))
        elif kind == "rewind":
            target = max(viewer.sim.tick - random.randrange(6), viewer.history.earliest)
            viewer.do("rewind", ticks=viewer.sim.tick - target)
            assert viewer.sim.tick == target
            assert viewer.sim.digest() == digests.get(target, viewer.sim.digest())
        else:
            viewer.do(kind)
        after_jump = kind == "back_before_edit" and last is not None and last.world is not None
        if after_jump or (viewer.sim.tick != before and kind in ("undo", "redo", "undo_in_place")):
            digests.clear()  # the timeline is another one
        digests[viewer.sim.tick] = viewer.sim.digest()
        digests = {tick: digest for tick, digest in digests.items() if tick <= viewer.sim.tick}
    again = replay(viewer.first, viewer.log, viewer.sim.tick)
    assert again.sim.digest() == viewer.sim.digest()
    again.close()
