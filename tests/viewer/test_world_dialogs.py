"""The dialogs for a new world and for another size, and the grey materials of the palette."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed")

from imgui_bundle import imgui

from gpufluid import World
from gpufluid.gpu import footprint
from gpufluid.viewer.favourites import digit
from gpufluid.viewer.panels import palette, unsaved_dialog, widgets, world_dialogs
from gpufluid.viewer.panels.ui_state import UiState
from gpufluid.viewer.viewer import Viewer

pytestmark = pytest.mark.usefixtures("device", "imgui_context")


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    viewer = Viewer(World(16, 24, ("atoms",)), source="pool")
    viewer.clock.paused = True
    yield viewer
    viewer.close()


@pytest.fixture
def ui() -> UiState:
    return UiState(None, None)  # pyright: ignore[reportArgumentType]


def draw(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch, press: str | None = None, panel=world_dialogs
) -> list[str]:
    """Draw a panel in two frames. In the second a button is pressed. Returns the labels of its buttons."""
    labels: list[str] = []
    wanted: str | None = None

    def button(label: str, *_: object, **__: object) -> bool:
        labels.append(label)
        return label == wanted

    monkeypatch.setattr(widgets, "button", button)
    for wanted in (None, press):  # noqa: B007  read by `button`
        labels.clear()
        imgui.new_frame()
        if panel is palette:
            imgui.set_next_window_size((270, 700))
            imgui.begin("palette")
        panel.draw(viewer, ui)
        if panel is palette:
            imgui.end()
        imgui.render()
    return labels


@pytest.mark.parametrize("size", [(800, 500), (1280, 800)])
@pytest.mark.parametrize("name", ["new", "resize"])
def test_a_dialog_has_room_for_all_that_is_in_it(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch, name: str, size: tuple[int, int]
) -> None:
    imgui.get_io().display_size = imgui.ImVec2(*size)
    assert draw(viewer, ui, monkeypatch) == []
    viewer.do(f"ask_{name}")
    assert draw(viewer, ui, monkeypatch) == [{"new": "Create", "resize": "Resize"}[name], "Cancel"]
    assert ui.dialog_open
    window = next(window for window in imgui.get_current_context().windows if name in window.name)
    assert (window.scroll_max.x, window.scroll_max.y) == (0, 0)
    assert window.size.y <= size[1]
    draw(viewer, ui, monkeypatch, "Cancel")
    assert (viewer.dialog, draw(viewer, ui, monkeypatch), ui.dialog_open) == (None, [], False)


def test_create_makes_the_chosen_world_and_asks_first_if_changes_would_be_lost(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer.do("paint", points=[(3, 3)])
    ui.new_world.width, ui.new_world.height, ui.new_world.rules = 33, 21, "matter"
    ui.new_world.surroundings = "closed"
    viewer.do("ask_new")
    draw(viewer, ui, monkeypatch, "Create")
    assert (viewer.dialog, viewer.sim.blank.width) == (None, 24)
    labels = draw(viewer, ui, monkeypatch, panel=unsaved_dialog)
    assert labels == ["Save and make a new world", "Make a new world without saving", "Stay"]
    draw(viewer, ui, monkeypatch, "Make a new world without saving", panel=unsaved_dialog)
    laws = viewer.sim.blank
    assert (laws.width, laws.height, laws.rules, viewer.creating) == (33, 21, ("atoms",), None)


def test_create_is_not_offered_for_laws_that_do_not_go_together(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch
) -> None:
    ui.new_world.gravity, ui.new_world.rules = "up", "water"
    viewer.do("ask_new")
    draw(viewer, ui, monkeypatch, "Create")  # the button is disabled; here it is pressed in any case
    assert (viewer.dialog, viewer.sim.blank.width) == ("new", 24)


def window_of(name: str):
    return next(window for window in imgui.get_current_context().windows if name in window.name)


@pytest.mark.parametrize("size", [(800, 500), (1280, 800)])
def test_single_rules_are_chosen_and_have_room(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    imgui.get_io().display_size = imgui.ImVec2(*size)
    ui.new_world.rules, ui.new_world.own_rules = "own", ()
    viewer.do("ask_new")
    draw(viewer, ui, monkeypatch, "Create")  # no rule: the button is disabled; here it is pressed in any case
    assert viewer.dialog == "new"
    clicked: list[str] = []
    checkbox = imgui.checkbox

    def tick(label: str, on: bool) -> tuple[bool, bool]:
        if label in clicked:
            clicked.remove(label)
            return True, not on
        return checkbox(label, on)

    monkeypatch.setattr(imgui, "checkbox", tick)
    chosen = []
    for label in ("Reactions", "Flow", "Atoms", "Pressure"):
        clicked.append(label)
        draw(viewer, ui, monkeypatch)
        chosen.append(ui.new_world.own_rules)
    assert chosen == [
        ("atoms", "heat", "reactions"),
        ("flow", "atoms", "heat", "reactions"),
        ("flow",),
        ("flow", "atoms", "pressure"),
    ]
    for _ in range(2):
        draw(viewer, ui, monkeypatch)
    window = window_of("new")
    assert (window.scroll_max.x, window.scroll_max.y) == (0, 0)
    assert window.size.y <= size[1]
    draw(viewer, ui, monkeypatch, "Create")
    assert viewer.sim.blank.rules == ("flow", "atoms", "pressure")


@pytest.mark.parametrize("name", ["new", "resize"])
def test_a_large_world_says_its_cells_and_memory_and_is_made_only_if_it_is_wanted(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    said: list[str] = []
    monkeypatch.setattr(widgets, "wrapped", lambda words, *_: said.append(words))
    monkeypatch.setattr(world_dialogs, "LARGE", 5000)
    ui.new_world.rules = "matter"
    press = {"new": "Create", "resize": "Resize"}[name]
    viewer.do(f"ask_{name}")
    draw(viewer, ui, monkeypatch)
    ui.new_world.width, ui.new_world.height = ui.new_size = 100, 50
    draw(viewer, ui, monkeypatch, press)
    words = next(text for text in said if text.startswith("5,000 cells, about "))
    assert "memory" in words
    assert "slowly" in words
    assert viewer.sim.blank.width == 24
    ui.large = True
    draw(viewer, ui, monkeypatch, press)
    assert viewer.sim.blank.width == 100


def test_a_world_without_room_in_the_memory_is_not_offered(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(widgets, "wrapped", lambda words, *_: said.append(words))
    monkeypatch.setattr(footprint, "machine_memory", lambda: 1 << 30)
    ui.new_world.width, ui.new_world.height = 16384, 16384
    viewer.do("ask_new")
    draw(viewer, ui, monkeypatch, "Create")
    assert any(text.startswith("A world of 16384 by 16384 cells") and "1.0 GiB are free." in text for text in said)
    assert viewer.sim.blank.width == 24


def test_resize_begins_with_the_present_size_at_the_floor(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer.do("ask_resize")
    draw(viewer, ui, monkeypatch)
    assert (ui.new_size, ui.align) == ((24, 16), (0.5, 1.0))
    ui.new_size = 40, 30
    draw(viewer, ui, monkeypatch, "Resize")
    assert (viewer.sim.blank.width, viewer.sim.blank.height, viewer.dialog) == (40, 30, None)


def test_grey_materials_come_last_and_one_click_adds_their_rule(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[str, bool]] = []

    def chip(name: str, *_: object, faint: bool = False, **__: object) -> bool:
        drawn.append((name, faint))
        return False

    monkeypatch.setattr(widgets, "chip", chip)
    assert draw(viewer, ui, monkeypatch, panel=palette) == ["Add reactions"]
    assert {name for name, faint in drawn if faint} == set(viewer.idle)
    assert ("sand", False) in drawn
    assert {name for name, _ in drawn} == {*viewer.materials, "erase"}
    draw(viewer, ui, monkeypatch, "Add reactions", panel=palette)
    assert viewer.sim.blank.rules == ("atoms", "heat", "reactions")
    drawn.clear()
    assert draw(viewer, ui, monkeypatch, panel=palette) == []
    assert not any(faint for _, faint in drawn)


def test_the_favourites_come_first_each_with_its_digit(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[str, str, bool]] = []
    pressed = ""

    def chip(name: str, _colour: object, chosen: bool, _tip: str, key: str = "", *_: object, **__: object) -> bool:
        drawn.append((name, key, chosen))
        return name == pressed and key == "3"

    monkeypatch.setattr(widgets, "chip", chip)
    viewer.do("set_favourite", place=2, name="snow")
    pressed = "snow"
    draw(viewer, ui, monkeypatch, panel=palette)
    assert [(name, key) for name, key, _ in drawn[:10]] == [
        (name, digit(place)) for place, name in enumerate(viewer.favourites)
    ]
    assert viewer.tool.material == "snow"
    pressed = ""
    viewer.do("favourite", place=9)
    drawn.clear()
    draw(viewer, ui, monkeypatch, panel=palette)
    assert [name for name, _, chosen in drawn[:10] if chosen] == ["erase"]
    ui.search = "snow"
    drawn.clear()
    draw(viewer, ui, monkeypatch, panel=palette)
    assert {name for name, _, _ in drawn} == {"snow"}, "a search shows what it finds, and nothing else"


def test_a_grey_material_that_the_world_cannot_hold_says_what_it_needs(
    tmp_path: Path, ui: UiState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    viewer = Viewer(World(16, 24, ("flow",)))
    ui.search = "gravel"
    monkeypatch.setattr(widgets, "chip", lambda *_, **__: True)
    assert draw(viewer, ui, monkeypatch, panel=palette) == ["Add atoms"]
    assert viewer.messages[-1].text == viewer.idle_text("gravel")
    assert viewer.tool.material != "gravel"
    viewer.close()


def test_escape_closes_an_open_list_and_only_then_the_dialog(
    viewer: Viewer, ui: UiState, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer.do("ask_new")
    draw(viewer, ui, monkeypatch)
    closed: list[bool] = []
    with monkeypatch.context() as lists_open:
        lists_open.setattr(imgui, "begin_combo", lambda *_: True)
        lists_open.setattr(imgui, "end_combo", lambda: None)
        lists_open.setattr(imgui, "close_current_popup", lambda: closed.append(True))
        imgui.get_io().add_key_event(imgui.Key.escape, True)
        draw(viewer, ui, monkeypatch)
        imgui.get_io().add_key_event(imgui.Key.escape, False)
        draw(viewer, ui, monkeypatch)
    assert closed
    assert viewer.dialog == "new"
    imgui.get_io().add_key_event(imgui.Key.escape, True)
    draw(viewer, ui, monkeypatch)
    assert viewer.dialog is None
