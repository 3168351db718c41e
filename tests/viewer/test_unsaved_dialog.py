"""The dialog that asks before unsaved changes are lost, when the window closes or another world is to be opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed")

from imgui_bundle import imgui

from gpufluid import World
from gpufluid.io import snapshots
from gpufluid.viewer.panels import unsaved_dialog, widgets
from gpufluid.viewer.panels.ui_state import UiState
from gpufluid.viewer.viewer import Viewer

pytestmark = pytest.mark.usefixtures("device", "imgui_context")


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    """A viewer with a world of 16 x 16 cells, in which one stroke is unsaved."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    snapshots.save(World(24, 24, ("atoms",)), tmp_path / "other.npz")
    viewer = Viewer(World(16, 16, ("atoms",)), source="pool")
    viewer.clock.paused = True
    viewer.do("paint", points=[(3, 3)])
    yield viewer
    viewer.close()


@pytest.fixture
def ui() -> UiState:
    return UiState(None, None)  # pyright: ignore[reportArgumentType]


def draw(viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch, press: str | None = None) -> list[str]:
    """Draw the dialog in two frames. In the second a button is pressed. Returns the labels of its buttons."""
    labels: list[str] = []
    wanted: str | None = None

    def button(label: str, *_: object, **__: object) -> bool:
        labels.append(label)
        return label == wanted

    monkeypatch.setattr(widgets, "button", button)
    for wanted in (None, press):  # noqa: B007  read by `button`
        labels.clear()
        imgui.new_frame()
        unsaved_dialog.draw(viewer, ui)
        imgui.render()
    return labels


def test_there_is_no_dialog_without_unsaved_changes(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert draw(viewer, ui, monkeypatch) == []
    viewer.do("save")
    viewer.do("close")
    assert draw(viewer, ui, monkeypatch) == []
    viewer.do("request_open", path="other.npz")
    assert viewer.sim.blank.width == 24


def test_opening_asks_first_and_the_world_stays_until_then(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = viewer.sim.digest()
    viewer.do("request_open", path="other.npz")
    assert draw(viewer, ui, monkeypatch) == ["Save and open", "Open without saving", "Stay"]
    assert viewer.sim.digest() == before
    draw(viewer, ui, monkeypatch, "Stay")
    assert (viewer.opening, viewer.unsaved) == (None, True)
    assert draw(viewer, ui, monkeypatch) == []
    assert viewer.sim.digest() == before


def test_save_and_open_saves_the_world_and_opens_the_other(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = viewer.sim.digest()
    viewer.do("request_open", path="other.npz")
    draw(viewer, ui, monkeypatch, "Save and open")
    assert (viewer.sim.blank.width, viewer.unsaved, viewer.opening) == (24, False, None)
    viewer.do("open", path="pool_0.npz")
    assert viewer.sim.digest() == before
    assert draw(viewer, ui, monkeypatch) == []


def test_open_without_saving_opens_the_other_world(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    viewer.do("request_open", path="other.npz")
    draw(viewer, ui, monkeypatch, "Open without saving")
    assert viewer.sim.blank.width == 24
    assert not (tmp_path / "pool_0.npz").exists()


def test_a_file_that_cannot_be_opened_is_an_error_and_the_changes_stay(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer.do("request_open", path="missing.npz")
    draw(viewer, ui, monkeypatch, "Open without saving")
    assert viewer.messages[-1].kind == "error"
    assert "missing.npz" in viewer.messages[-1].text
    assert (viewer.sim.blank.width, viewer.unsaved, viewer.opening) == (16, True, None)
    assert draw(viewer, ui, monkeypatch) == []


@pytest.mark.parametrize("word", ["close", "open"])
def test_if_saving_fails_the_dialog_stays(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, word: str
) -> None:
    monkeypatch.chdir(tmp_path)
    viewer.source = "no_such_folder/pool"
    monkeypatch.setattr("gpufluid.viewer._files.chosen", lambda *_: tmp_path / "no_such_folder" / "a.npz")
    if word == "close":
        viewer.do("close")
    else:
        viewer.do("request_open", path="other.npz")
    labels = draw(viewer, ui, monkeypatch, f"Save and {word}")
    assert viewer.messages[-1].kind == "error"
    assert not ui.close_confirmed
    assert viewer.sim.blank.width == 16
    assert draw(viewer, ui, monkeypatch) == labels


@pytest.mark.parametrize(("label", "saved"), [("Save and close", True), ("Close without saving", False)])
def test_closing_is_confirmed_with_or_without_saving(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, label: str, saved: bool
) -> None:
    viewer.do("request_open", path="other.npz")
    viewer.do("close")
    assert label in draw(viewer, ui, monkeypatch, label)
    assert ui.close_confirmed
    assert (tmp_path / "pool_0.npz").exists() == saved
    assert viewer.sim.blank.width == 16
