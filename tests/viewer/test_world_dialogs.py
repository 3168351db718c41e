"""The dialogs for a new world and for another size, and the grey materials of the palette."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed")

from imgui_bundle import imgui
from support.dialogs import Drawn
from support.selection import mostly_long

from gpufluid import World
from gpufluid.gpu import footprint
from gpufluid.viewer.favourites import digit
from gpufluid.viewer.panels import modal, palette, widgets
from gpufluid.viewer.panels.ui_state import UiState
from gpufluid.viewer.viewer import Viewer

pytestmark = pytest.mark.usefixtures("device", "imgui_context")


@pytest.fixture
def viewer(paused_viewer: Callable[..., Viewer]) -> Viewer:
    return paused_viewer(World(16, 24, ("atoms",)), source="pool")


def palette_of(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> Drawn:
    def draw(viewer: Viewer, ui: UiState) -> None:
        imgui.set_next_window_size((270, 700))
        imgui.begin("palette")
        palette.draw(viewer, ui)
        imgui.end()

    return Drawn(viewer, monkeypatch, draw)


@pytest.mark.parametrize("size", [(800, 500), (1280, 800)])
@pytest.mark.parametrize("name", ["new", "resize"])
def test_a_dialog_has_room_for_all_that_is_in_it(
    viewer: Viewer, drawn: Drawn, name: str, size: tuple[int, int]
) -> None:
    imgui.get_io().display_size = imgui.ImVec2(*size)
    assert drawn.labels() == []
    viewer.do(f"ask_{name}")
    assert drawn.labels() == [{"new": "Create", "resize": "Resize"}[name], "Cancel"]
    assert drawn.ui.dialog_open
    window = next(window for window in imgui.get_current_context().windows if name in window.name)
    assert (window.scroll_max.x, window.scroll_max.y) == (0, 0)
    assert window.size.y <= size[1]
    drawn.labels("Cancel")
    assert (viewer.dialog, drawn.labels(), drawn.ui.dialog_open) == (None, [], False)


def test_create_makes_the_chosen_world_and_asks_first_if_changes_would_be_lost(viewer: Viewer, drawn: Drawn) -> None:
    viewer.do("paint", points=[(3, 3)])
    drawn.ui.new_world.width, drawn.ui.new_world.height, drawn.ui.new_world.rules = 33, 21, "matter"
    drawn.ui.new_world.surroundings = "closed"
    viewer.do("ask_new")
    drawn.labels("Create")
    assert (viewer.dialog, viewer.sim.blank.width) == (None, 24)
    labels = drawn.labels()
    assert labels == ["Save and make a new world", "Make a new world without saving", "Stay"]
    drawn.labels("Make a new world without saving")
    laws = viewer.sim.blank
    assert (laws.width, laws.height, laws.rules, viewer.creating) == (33, 21, ("atoms",), None)


def test_create_is_not_offered_for_laws_that_do_not_go_together(viewer: Viewer, drawn: Drawn) -> None:
    drawn.ui.new_world.rules = "own"
    viewer.do("ask_new")
    drawn.labels()
    drawn.ui.choices.own_rules = ("flow", "mixture")
    drawn.labels("Create")  # the button is disabled; here it is pressed in any case
    assert (viewer.dialog, viewer.sim.blank.width) == ("new", 24)


def window_of(name: str):
    return next(window for window in imgui.get_current_context().windows if name in window.name)


@pytest.mark.parametrize("size", mostly_long([(800, 500), (1280, 800)], (800, 500), why="a larger window"))
def test_single_rules_are_chosen_and_have_room(
    viewer: Viewer, drawn: Drawn, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    imgui.get_io().display_size = imgui.ImVec2(*size)
    drawn.ui.new_world.rules = "own"
    viewer.do("ask_new")
    drawn.labels()
    assert drawn.ui.choices.own_rules == ("atoms",), "those of the present world"
    drawn.ui.choices.own_rules = ()
    drawn.labels("Create")  # no rule: the button is disabled; here it is pressed in any case
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
        drawn.labels()
        chosen.append(drawn.ui.choices.own_rules)
    assert chosen == [
        ("atoms", "heat", "reactions"),
        ("flow", "atoms", "heat", "reactions"),
        ("flow",),
        ("flow", "atoms", "pressure"),
    ]
    for _ in range(2):
        drawn.labels()
    window = window_of("new")
    assert (window.scroll_max.x, window.scroll_max.y) == (0, 0)
    assert window.size.y <= size[1]
    drawn.labels("Create")
    assert viewer.sim.blank.rules == ("flow", "atoms", "pressure")


@pytest.mark.parametrize("name", ["new", "resize"])
def test_a_large_world_says_its_cells_and_memory_and_is_made_only_if_it_is_wanted(
    viewer: Viewer, drawn: Drawn, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    said: list[str] = []
    monkeypatch.setattr(widgets, "wrapped", lambda words, *_: said.append(words))
    monkeypatch.setattr("gpufluid.viewer.new_world.LARGE", 5000)
    drawn.ui.new_world.rules = "matter"
    press = {"new": "Create", "resize": "Resize"}[name]
    viewer.do(f"ask_{name}")
    drawn.labels()
    drawn.ui.choices.width, drawn.ui.choices.height = drawn.ui.new_size = 100, 50
    drawn.labels(press)
    words = next(text for text in said if text.startswith("5,000 cells, about "))
    assert "memory" in words
    assert "slowly" in words
    assert viewer.sim.blank.width == 24
    drawn.ui.large = True
    drawn.labels(press)
    assert viewer.sim.blank.width == 100


def test_a_world_without_room_in_the_memory_is_not_offered(
    viewer: Viewer, drawn: Drawn, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(widgets, "wrapped", lambda words, *_: said.append(words))
    monkeypatch.setattr(footprint, "machine_memory", lambda: 1 << 30)
    drawn.ui.new_world.width, drawn.ui.new_world.height = 16384, 16384
    viewer.do("ask_new")
    drawn.labels("Create")
    assert any(text.startswith("A world of 16384 by 16384 cells") and "1.0 GiB are free." in text for text in said)
    assert viewer.sim.blank.width == 24


def test_cancel_forgets_what_was_chosen_and_create_keeps_it(viewer: Viewer, drawn: Drawn) -> None:
    usual = replace(drawn.ui.new_world)
    for press in ("Cancel", "Create"):
        viewer.do("ask_new")
        drawn.labels()
        assert drawn.ui.choices == replace(usual, own_rules=viewer.sim.blank.rules)
        drawn.ui.choices.width, drawn.ui.choices.height, drawn.ui.choices.rules = 33, 21, "matter"
        drawn.labels(press)
        assert drawn.labels() == []
    viewer.do("ask_new")
    drawn.labels()
    assert (drawn.ui.choices.width, drawn.ui.choices.height, drawn.ui.choices.rules) == (33, 21, "matter")


@pytest.mark.parametrize(("typed", "width"), [("100000", "most"), ("0", 1), ("40", 40)])
def test_a_size_outside_the_limits_is_changed_and_said(
    viewer: Viewer, drawn: Drawn, monkeypatch: pytest.MonkeyPatch, typed: str, width: int | str
) -> None:
    said: list[str] = []
    monkeypatch.setattr(widgets, "wrapped", lambda words, *_: said.append(words))
    viewer.do("ask_new")
    drawn.until_focus()
    drawn.write(typed)
    drawn.key(imgui.Key.enter)
    most = viewer.sim.device.max_side
    assert drawn.ui.choices.width == (most if width == "most" else width)
    note = f"{int(typed):,} cells are not possible: the width is 1 to {most:,} cells on this device."
    assert (note in said, viewer.dialog) == ((False, None) if typed == "40" else (True, "new"))
    said.clear()
    drawn.labels()
    assert (note in said) == (typed != "40"), "it stays"


def test_resize_begins_with_the_present_size_at_the_floor(viewer: Viewer, drawn: Drawn) -> None:
    viewer.do("ask_resize")
    drawn.labels()
    assert (drawn.ui.new_size, drawn.ui.align) == ((24, 16), (0.5, 1.0))
    drawn.ui.new_size = 40, 30
    drawn.labels("Resize")
    assert (viewer.sim.blank.width, viewer.sim.blank.height, viewer.dialog) == (40, 30, None)


def test_grey_materials_come_last_and_one_click_adds_their_rule(
    viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    chips: list[tuple[str, bool]] = []

    def chip(name: str, *_: object, faint: bool = False, **__: object) -> bool:
        chips.append((name, faint))
        return False

    monkeypatch.setattr(widgets, "chip", chip)
    shown = palette_of(viewer, monkeypatch)
    assert shown.labels() == ["Add reactions"]
    assert {name for name, faint in chips if faint} == set(viewer.idle)
    assert ("sand", False) in chips
    assert {name for name, _ in chips} == {*viewer.materials, "erase"}
    shown.labels("Add reactions")
    assert viewer.sim.blank.rules == ("atoms", "heat", "reactions")
    chips.clear()
    assert shown.labels() == []
    assert not any(faint for _, faint in chips)


def test_the_favourites_come_first_each_with_its_digit(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    chips: list[tuple[str, str, bool]] = []
    pressed = ""

    def chip(name: str, _colour: object, chosen: bool, _tip: str, key: str = "", *_: object, **__: object) -> bool:
        chips.append((name, key, chosen))
        return name == pressed and key == "3"

    monkeypatch.setattr(widgets, "chip", chip)
    shown = palette_of(viewer, monkeypatch)
    viewer.do("set_favourite", place=2, name="snow")
    pressed = "snow"
    shown.labels()
    assert [(name, key) for name, key, _ in chips[:10]] == [
        (name, digit(place)) for place, name in enumerate(viewer.favourites)
    ]
    assert viewer.tool.material == "snow"
    pressed = ""
    viewer.do("favourite", place=9)
    chips.clear()
    shown.labels()
    assert [name for name, _, chosen in chips[:10] if chosen] == ["erase"]
    shown.ui.search = "snow"
    chips.clear()
    shown.labels()
    assert {name for name, _, _ in chips} == {"snow"}, "a search shows what it finds, and nothing else"


def test_a_grey_material_that_the_world_cannot_hold_says_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    viewer = Viewer(World(16, 24, ("flow",)))
    shown = palette_of(viewer, monkeypatch)
    shown.ui.search = "gravel"
    monkeypatch.setattr(widgets, "chip", lambda *_, **__: True)
    assert shown.labels() == ["Add atoms"]
    assert viewer.messages[-1].text == viewer.idle_text("gravel")
    assert viewer.tool.material != "gravel"
    viewer.close()


def test_tab_goes_to_lists_and_buttons_and_their_keys_do_not_close_the_dialog(viewer: Viewer, drawn: Drawn) -> None:
    viewer.do("ask_new")
    drawn.until_focus()
    drawn.write("33")
    drawn.key(imgui.Key.tab)
    drawn.until_focus()
    drawn.write("21")
    drawn.key(imgui.Key.tab, imgui.Key.space)
    assert modal.open_popups() == 2, "a list"
    drawn.key(imgui.Key.escape)
    assert (modal.open_popups(), viewer.dialog) == (1, "new")
    drawn.key(imgui.Key.enter, imgui.Key.down_arrow, imgui.Key.enter)
    chosen = drawn.ui.choices
    assert (chosen.surroundings, modal.open_popups(), viewer.dialog) == ("closed", 1, "new")
    drawn.key(imgui.Key.tab, imgui.Key.enter, imgui.Key.down_arrow, imgui.Key.enter)
    assert (chosen.gravity, viewer.dialog) == ("up", "new")
    drawn.key(imgui.Key.tab, imgui.Key.enter, imgui.Key.down_arrow, imgui.Key.enter)
    assert (chosen.width, chosen.height, chosen.rules, viewer.dialog) == (33, 21, "matter", "new")
    drawn.key(imgui.Key.escape)
    assert (modal.open_popups(), viewer.dialog) == (0, None)


@pytest.mark.parametrize(("key", "width"), [(imgui.Key.enter, 33), (imgui.Key.keypad_enter, 33), (imgui.Key.tab, 24)])
def test_enter_is_the_default_button(viewer: Viewer, drawn: Drawn, key: imgui.Key, width: int) -> None:
    drawn.ui.new_world.width, drawn.ui.new_world.height, drawn.ui.new_world.rules = 33, 21, "matter"
    viewer.do("ask_new")
    drawn.labels()
    drawn.key(key)
    assert viewer.sim.blank.width == width


def test_a_dialog_that_something_else_closed_leaves_nothing_open(viewer: Viewer, drawn: Drawn) -> None:
    viewer.do("ask_new")
    drawn.labels()
    viewer.do("close_dialog")
    assert drawn.labels() == []
    assert modal.open_popups() == 0
