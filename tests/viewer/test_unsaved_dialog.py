"""The dialog that asks before unsaved changes are lost, when the window closes or another world is to be opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed")

from imgui_bundle import imgui
from support.dialogs import Drawn

from gpufluid import World
from gpufluid.core.errors import UsageError
from gpufluid.io import snapshots
from gpufluid.viewer.tool import PAGES
from gpufluid.viewer.viewer import Viewer

pytestmark = pytest.mark.usefixtures("device", "imgui_context")


@pytest.fixture
def viewer(paused_viewer: Callable[..., Viewer]) -> Viewer:
    """A viewer with a world of 16 x 16 cells, in which one stroke is unsaved."""
    snapshots.save(World(24, 24, ("atoms",)), Path("other.npz"))
    viewer = paused_viewer(World(16, 16, ("atoms",)), source="pool")
    viewer.do("paint", points=[(3, 3)])
    return viewer


def test_there_is_no_dialog_without_unsaved_changes(viewer: Viewer, drawn: Drawn) -> None:
    assert drawn.labels() == []
    viewer.do("save")
    viewer.do("close")
    assert drawn.labels() == []
    viewer.do("request_open", path="other.npz")
    assert viewer.sim.blank.width == 24


def test_opening_asks_first_and_the_world_stays_until_then(viewer: Viewer, drawn: Drawn) -> None:
    before = viewer.sim.digest()
    viewer.do("request_open", path="other.npz")
    assert drawn.labels() == ["Save and open", "Open without saving", "Stay"]
    assert viewer.sim.digest() == before
    drawn.labels("Stay")
    assert (viewer.opening, viewer.unsaved) == (None, True)
    assert drawn.labels() == []
    assert viewer.sim.digest() == before


def test_save_and_open_saves_the_world_and_opens_the_other(viewer: Viewer, drawn: Drawn) -> None:
    before = viewer.sim.digest()
    viewer.do("request_open", path="other.npz")
    drawn.labels("Save and open")
    assert (viewer.sim.blank.width, viewer.unsaved, viewer.opening) == (24, False, None)
    viewer.do("open", path="pool_0.npz")
    assert viewer.sim.digest() == before
    assert drawn.labels() == []


def test_open_without_saving_opens_the_other_world(viewer: Viewer, drawn: Drawn) -> None:
    viewer.do("request_open", path="other.npz")
    drawn.labels("Open without saving")
    assert viewer.sim.blank.width == 24
    assert not Path("pool_0.npz").exists()


def test_a_file_that_cannot_be_opened_is_an_error_and_the_changes_stay(viewer: Viewer, drawn: Drawn) -> None:
    Path("broken.npz").write_text("no snapshot")
    viewer.do("request_open", path="broken.npz")
    drawn.labels("Open without saving")
    assert viewer.messages[-1].kind == "error"
    assert "broken.npz" in viewer.messages[-1].text
    assert (viewer.sim.blank.width, viewer.unsaved, viewer.opening) == (16, True, None)
    assert drawn.labels() == []


@pytest.mark.parametrize("word", ["close", "open"])
def test_if_saving_fails_the_dialog_stays(
    viewer: Viewer, drawn: Drawn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, word: str
) -> None:
    viewer.source = "no_such_folder/pool"
    monkeypatch.setattr("gpufluid.viewer._files.chosen", lambda *_: tmp_path / "no_such_folder" / "a.npz")
    if word == "close":
        viewer.do("close")
    else:
        viewer.do("request_open", path="other.npz")
    labels = drawn.labels(f"Save and {word}")
    assert viewer.messages[-1].kind == "error"
    assert not drawn.ui.close_confirmed
    assert viewer.sim.blank.width == 16
    assert drawn.labels() == labels


@pytest.mark.parametrize(("label", "saved"), [("Save and close", True), ("Close without saving", False)])
def test_closing_is_confirmed_with_or_without_saving(viewer: Viewer, drawn: Drawn, label: str, saved: bool) -> None:
    viewer.do("request_open", path="other.npz")
    viewer.do("close")
    assert label in drawn.labels(label)
    assert drawn.ui.close_confirmed
    assert Path("pool_0.npz").exists() == saved
    assert viewer.sim.blank.width == 16


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing.npz", "missing.npz: cannot be read: No such file"),
        ("beach.png", "beach.png: cannot be read: No such file"),
        ("hourglas", "there is no scene 'hourglas'; did you mean 'hourglass'"),
    ],
)
def test_a_name_of_nothing_is_refused_before_anything_is_asked(
    viewer: Viewer, drawn: Drawn, name: str, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        viewer.do("request_open", path=name)
    assert viewer.question is None
    assert drawn.labels() == []


def test_enter_saves_and_goes_on_and_escape_stays(viewer: Viewer, drawn: Drawn) -> None:
    viewer.do("request_open", path="other.npz")
    drawn.labels()
    drawn.key(imgui.Key.escape)
    assert (viewer.opening, drawn.ui.dialog_open, viewer.unsaved) == (None, False, True)
    viewer.do("request_open", path="other.npz")
    drawn.labels()
    drawn.key(imgui.Key.enter)
    assert (viewer.sim.blank.width, Path("pool_0.npz").exists()) == (24, True)


def runs(viewer: Viewer) -> bool:
    """Test if a tick runs within a hundred frames."""
    first, now = viewer.sim.tick, viewer.clock._last or 0.0
    for frame in range(1, 101):
        viewer.advance(now + frame / 10)
        if viewer.sim.tick > first:
            return True
    return False


def test_time_is_paused_while_a_dialog_asks(viewer: Viewer) -> None:
    viewer.clock.paused = False
    for act in ({"action": "close"}, {"action": "request_open", "path": "other.npz"}, {"action": "ask_save"}):
        viewer.do(**act)
        asked, now = viewer.question, viewer.clock._last or 0.0
        viewer.advance(now)  # which ends a tick in progress
        seen = viewer.sim.tick
        for frame in range(20):
            viewer.advance(now + frame / 10)
        assert (asked is not None, viewer.sim.tick, viewer.statistics.ticks_a_second) == (True, seen, 0)
        viewer.do("stay")
        viewer.do("close_dialog")
        assert runs(viewer), "on a slow machine the first tick takes more than one frame"


@pytest.mark.parametrize("page", PAGES)
def test_time_is_paused_while_a_page_is_open(viewer: Viewer, page: str) -> None:
    viewer.clock.paused = False
    viewer.do("panel", name=page)
    for frame in range(20):
        viewer.advance(frame / 10)
    assert (viewer.sim.tick, viewer.statistics.ticks_a_second) == (0, 0)
    viewer.do("panel", name=page)
    assert runs(viewer)
