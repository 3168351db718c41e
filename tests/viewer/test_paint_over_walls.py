"""Tools that lay matter leave walls as they are, unless the player wants to paint over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from gpufluid.viewer.new_world import new_world
from gpufluid.viewer.viewer import Viewer, replay

pytestmark = pytest.mark.usefixtures("device")


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    """A paused viewer of an empty vessel, 40 x 30 cells: its floor lies in the rows 27 to 29."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    viewer = Viewer(new_world(40, 30, rules="matter"), window=(400, 300))
    viewer.clock.paused = True
    viewer.do("material", name="sand")
    viewer.do("brush_size", cells=9)
    yield viewer
    viewer.close()


def press(viewer: Viewer, button: str = "left") -> None:
    """A click at cell (20, 27), the top row of the floor."""
    at = viewer.camera.pixel_of((20.5, 27.5))
    viewer.pointer.press(button, *at)
    viewer.pointer.release(button, *at)


def spray(viewer: Viewer) -> None:
    viewer.do("shape", name="spray")
    press(viewer)


def pour(viewer: Viewer) -> None:
    viewer.pointer.press("left", *viewer.camera.pixel_of((20.5, 27.5)))
    viewer.run_to(viewer.sim.tick + 4)
    viewer.pointer.release("left", *viewer.camera.pixel_of((20.5, 27.5)))


TOOLS: dict[str, Callable[[Viewer], None]] = {
    "brush": press,
    "square": lambda viewer: (viewer.do("shape", name="square"), press(viewer))[0],
    "spray": spray,
    "pour": pour,
    "line": lambda viewer: viewer.do("line", start=(8, 25), end=(30, 27)),
    "rectangle": lambda viewer: viewer.do("rectangle", start=(8, 20), end=(30, 29)),
    "fill": lambda viewer: viewer.do("fill", at=(20, 28)),
}


def walls(viewer: Viewer) -> int:
    return int((cells(viewer) == wall(viewer)).sum())


def cells(viewer: Viewer) -> np.ndarray:
    return viewer.sim.read()["material"]


def wall(viewer: Viewer) -> int:
    return viewer.sim.blank.materials["wall"]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_leaves_walls_unless_it_paints_over_them(viewer: Viewer, tool: str) -> None:
    before = cells(viewer)
    TOOLS[tool](viewer)
    after = cells(viewer)
    np.testing.assert_array_equal(after == wall(viewer), before == wall(viewer))
    assert (after != before).any() == (tool != "fill"), "beside the floor it lays what it would"
    assert [message.text.partition(":")[0] for message in viewer.messages] == ["You cannot paint over wall"]
    viewer.do("over_walls")
    TOOLS[tool](viewer)
    assert walls(viewer) < (before == wall(viewer)).sum()


def test_the_message_comes_once(viewer: Viewer) -> None:
    press(viewer)
    press(viewer)
    viewer.do("fill", at=(20, 28))
    assert len(viewer.messages) == 1


def test_without_a_wall_below_the_brush_there_is_no_message(viewer: Viewer) -> None:
    viewer.do("paint", points=[(20, 10)])
    viewer.do("material", name="wall")
    press(viewer)  # wall over wall
    assert viewer.messages == []


def test_the_eraser_and_replace_remove_walls(viewer: Viewer) -> None:
    first = walls(viewer)
    press(viewer, "right")
    erased = walls(viewer)
    assert erased < first
    viewer.do("paint", points=[(10, 28)], mode="replace")
    assert walls(viewer) < erased
    assert viewer.messages == []


def test_other_anchored_solids_stay_and_loose_ones_do_not(viewer: Viewer) -> None:
    viewer.do("material", name="stone")
    viewer.do("rectangle", start=(10, 10), end=(12, 12))
    viewer.do("material", name="wall")
    viewer.do("rectangle", start=(20, 10), end=(22, 12))
    viewer.do("material", name="stone")
    viewer.do("rectangle", start=(8, 8), end=(30, 14))
    found = cells(viewer)[8:15, 8:31]
    assert (found == wall(viewer)).sum() == 9
    assert (found == viewer.sim.blank.materials["stone"]).sum() == found.size - 9


def test_a_stroke_that_walls_hold_off_is_nothing_to_undo(viewer: Viewer) -> None:
    viewer.do("fill", at=(20, 28))
    assert not viewer.history.can_undo
    assert not viewer.unsaved


def water_over_a_dam(viewer: Viewer) -> tuple[np.ndarray, tuple[int, str]]:
    """Build a dam, paint a hole of water into it, and let the water flow out.

    Returns: the cells before the hole was painted; the tick and the digest.
    """
    viewer.do("material", name="wall")
    viewer.do("rectangle", start=(20, 15), end=(24, 26))
    before, state = cells(viewer), (viewer.sim.tick, viewer.sim.digest())
    viewer.do("material", name="water")
    viewer.do("over_walls", on=True)
    viewer.do("brush_size", cells=5)
    viewer.do("paint", points=[(19, 20), (25, 20)])
    viewer.do("step", ticks=30)
    return before, state


@pytest.mark.parametrize("erases", [False, True])
def test_undo_puts_back_a_wall_whose_paint_has_moved_on(viewer: Viewer, erases: bool) -> None:
    before, _ = water_over_a_dam(viewer)
    if erases:
        viewer.do("undo")
        viewer.do("paint", points=[(22, 20)], mode="erase")
        viewer.do("step")
    hole = (before == wall(viewer)) & (cells(viewer) != wall(viewer))
    assert hole.sum() >= 20
    assert walls(viewer) < (before == wall(viewer)).sum()
    told = len(viewer.messages)
    viewer.do("undo_in_place")
    np.testing.assert_array_equal(cells(viewer) == wall(viewer), before == wall(viewer))
    if not erases:
        assert held_by(viewer, "water") > 0
        assert viewer.messages[told].text.startswith("what has moved since then stays where it is; Edit > Back")


def held_by(viewer: Viewer, material: str) -> int:
    return int((cells(viewer) == viewer.sim.blank.materials[material]).sum())


def test_another_solid_in_the_hole_stays(viewer: Viewer) -> None:
    before, _ = water_over_a_dam(viewer)
    viewer.history.close()
    plug = viewer.sim.read_window((20, 20), (1, 1))
    plug["material"][:] = viewer.sim.blank.materials["stone"]
    viewer.sim.write_window((20, 20), plug)
    viewer.do("undo_in_place")
    assert held_by(viewer, "stone") == 1
    assert walls(viewer) == (before == wall(viewer)).sum() - 1


def test_back_in_time_after_an_undo_that_took_a_part_goes_to_before_that_stroke(viewer: Viewer) -> None:
    empty = viewer.sim.digest()
    _, state = water_over_a_dam(viewer)
    viewer.do("undo_in_place")
    undone = viewer.sim.tick, viewer.sim.digest()
    viewer.do("step", ticks=3)
    later = viewer.sim.tick, viewer.sim.digest()
    assert undone != later
    viewer.do("back_before_edit")
    assert (viewer.sim.tick, viewer.sim.digest()) == state
    viewer.do("redo")
    assert (viewer.sim.tick, viewer.sim.digest()) == later
    viewer.do("back_before_edit")
    assert (viewer.sim.tick, viewer.sim.digest()) == state, "the redo has brought back that undo"
    viewer.do("step", ticks=2)
    viewer.do("rewind", ticks=2)
    viewer.do("back_before_edit")
    assert viewer.sim.digest() == empty, "the stroke before that one is the wall's own"


def test_a_replay_paints_over_the_same_walls(viewer: Viewer) -> None:
    first = viewer.sim.read()
    viewer.press("w")
    press(viewer)
    viewer.press("w")
    viewer.do("paint", points=[(10, 28)])
    again = replay(first, viewer.log, until=viewer.sim.tick)
    assert again.sim.digest() == viewer.sim.digest()
    again.close()
