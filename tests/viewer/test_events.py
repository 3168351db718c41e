"""Events that Xvfb cannot produce: dropped files, other keyboard layouts, touch pads, high-density screens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed")

import glfw
from imgui_bundle import imgui

from gpufluid.viewer import glfw_keys
from gpufluid.viewer.area import Area
from gpufluid.viewer.camera import Camera
from gpufluid.viewer.events import Events
from gpufluid.viewer.glfw_window import GlfwWindow, Window
from gpufluid.viewer.panels.ui_state import UiState


class Told:
    """A viewer that records its calls."""

    def __init__(self) -> None:
        self.said: list[Any] = []
        self.bindings = {"[": ("smaller", {}), "ctrl+z": ("undo", {}), "p": ("pause", {}), "space": ("pause", {})}
        self.bindings |= {"f1": ("help", {}), "ctrl+s": ("save", {})}
        self.panels = {"help": True, "scenes": False, "welcome": False}
        self.closing = self.full_screen = False
        self.opening = self.creating = self.dialog = None
        self.camera, self.overlay, self.text_scale = Camera((96, 64), (400, 300)), None, 1.0
        note = lambda *words: self.said.append(words)  # noqa: E731
        self.pointer = SimpleNamespace(
            move=lambda *_: None,
            press=lambda *words: note("press", *words[:3]),
            release=lambda *words: note("release", *words[:3]),
            wheel=lambda steps, *_: note("wheel", steps),
        )

    def attempt(self, act: Any) -> None:
        act()

    def do(self, action: str, **arguments: object) -> None:
        self.said.append((action, arguments))

    def press(self, chord: str) -> bool:
        if chord in self.bindings:
            self.said.append(chord)
        return chord in self.bindings


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Events, Told, UiState]]:
    context = imgui.create_context()
    imgui.get_io().set_ini_filename("")
    imgui.get_io().backend_flags |= int(imgui.BackendFlags_.renderer_has_textures)
    imgui.get_io().display_size = imgui.ImVec2(400, 300)
    names = {glfw.KEY_Z: "z", glfw.KEY_P: "p", glfw.KEY_8: "8", glfw.KEY_S: "s"}
    monkeypatch.setattr(glfw_keys.glfw, "get_key_name", lambda key, _: names.get(key))
    viewer, ui = Told(), UiState(None, None)  # pyright: ignore[reportArgumentType]
    window = SimpleNamespace(is_down=lambda *_: False)
    events = Events(window, viewer, ui)  # pyright: ignore[reportArgumentType]
    for _ in range(LAYOUTS):
        lay_out(events)
    yield events, viewer, ui
    for texture in imgui.get_platform_io().textures:
        texture.set_tex_id(0)
        texture.status = imgui.ImTextureStatus.destroyed
    imgui.destroy_context(context)


LAYOUTS = 2
"""Layouts of the panels that input waits for after a click on a panel."""


def lay_out(events: Events) -> None:
    """A layout of no panels, in which imgui takes its input."""
    imgui.new_frame()
    imgui.render()
    events.panels_drawn()


Events_ = tuple[Events, Told, UiState]


def test_dropping_files_opens_the_first(told: Events_, tmp_path: Path) -> None:
    told[0].drop([str(tmp_path / "a.toml"), "b"])
    told[0].drop([])
    assert told[1].said == [("request_open", {"path": str(tmp_path / "a.toml")})]


def test_key_press_and_repeat_run_the_chord_with_its_modifiers(told: Events_) -> None:
    told[0].key(glfw.KEY_LEFT_CONTROL, 0, glfw.PRESS, 0)
    told[0].key(glfw.KEY_Z, 0, glfw.PRESS, glfw.MOD_CONTROL)
    told[0].key(glfw.KEY_Z, 0, glfw.REPEAT, glfw.MOD_CONTROL)
    told[0].key(glfw.KEY_Z, 0, glfw.RELEASE, glfw.MOD_CONTROL)
    assert told[1].said == ["ctrl+z", "ctrl+z"]


def test_key_repeat_does_not_toggle_pause(told: Events_) -> None:
    told[0].key(glfw.KEY_P, 0, glfw.PRESS, 0)
    told[0].key(glfw.KEY_P, 0, glfw.REPEAT, 0)
    assert told[1].said == ["p"]


def test_a_key_is_matched_by_the_character_it_types(told: Events_) -> None:
    """On a German keyboard ``[`` is AltGr and 8."""
    told[0].key(glfw.KEY_8, 0, glfw.PRESS, glfw.MOD_CONTROL | glfw.MOD_ALT)
    told[0].letter("[")
    assert told[1].said == ["["]


@pytest.mark.parametrize(
    ("key", "modifiers", "heard"),
    [
        (glfw.KEY_P, 0, []),
        (glfw.KEY_Z, glfw.MOD_CONTROL, []),
        (glfw.KEY_F1, 0, ["f1"]),
        (glfw.KEY_S, glfw.MOD_CONTROL, ["ctrl+s"]),
    ],
)
def test_only_command_keys_run_actions_while_typing(
    told: Events_, monkeypatch: pytest.MonkeyPatch, key: int, modifiers: int, heard: list[str]
) -> None:
    monkeypatch.setattr(Events, "_typing", True)
    told[0].key(key, 0, glfw.PRESS, modifiers)
    assert told[1].said == heard


def test_space_runs_its_action_unless_held_during_a_drag(told: Events_) -> None:
    events, viewer, _ = told
    events.move(5, 5)
    events.key(glfw.KEY_SPACE, 0, glfw.PRESS, 0)
    events.key(glfw.KEY_SPACE, 0, glfw.RELEASE, 0)
    assert viewer.said == ["space"]
    events.key(glfw.KEY_SPACE, 0, glfw.PRESS, 0)
    events.button(glfw.MOUSE_BUTTON_LEFT, True)
    events.button(glfw.MOUSE_BUTTON_LEFT, False)
    events.key(glfw.KEY_SPACE, 0, glfw.RELEASE, 0)
    assert viewer.said == ["space", ("press", "left", 5, 5), ("release", "left", 5, 5)]


def test_escape_closes_the_open_page(told: Events_) -> None:
    told[0].key(glfw.KEY_ESCAPE, 0, glfw.PRESS, 0)
    assert told[1].said == [("panel", {"name": "help"})]


def test_fractional_wheel_steps_add_up_to_notches(told: Events_) -> None:
    told[0].move(5, 5)
    for _ in range(10):
        told[0].wheel(0, 0.25)
    for _ in range(10):
        told[0].wheel(0, -0.25)
    assert told[1].said == [("wheel", 1)] * 2 + [("wheel", -1)] * 2


def test_events_after_a_click_on_a_panel_wait_until_the_panel_has_handled_it(told: Events_) -> None:
    events, viewer, ui = told
    ui.areas = [Area(0, 0, 100, 100)]
    for x, button in ((50, glfw.MOUSE_BUTTON_LEFT), (150, glfw.MOUSE_BUTTON_LEFT)):
        events.move(x, 50)
        events.button(button, True)
        events.button(button, False)
    events.key(glfw.KEY_S, 0, glfw.PRESS, glfw.MOD_CONTROL)
    for layouts in range(2 * LAYOUTS):  # for the press and for the release
        assert viewer.said == [], layouts
        lay_out(events)
    done = [("press", "left", 150, 50), ("release", "left", 150, 50), "ctrl+s"]
    assert viewer.said == done
    events.key(glfw.KEY_P, 0, glfw.PRESS, 0)
    assert viewer.said == [*done, "p"]


def test_a_drag_begun_over_the_world_ends_in_the_world_above_a_panel(told: Events_) -> None:
    events, viewer, ui = told
    ui.areas = [Area(0, 0, 100, 100)]
    events.move(50, 50)
    events.button(glfw.MOUSE_BUTTON_LEFT, True)
    events.button(glfw.MOUSE_BUTTON_LEFT, False)
    assert viewer.said == []
    for _ in range(2 * LAYOUTS):
        lay_out(events)
    events.move(150, 50)
    events.button(glfw.MOUSE_BUTTON_LEFT, True)
    events.move(50, 50)
    events.button(glfw.MOUSE_BUTTON_LEFT, False)
    assert viewer.said == [("press", "left", 150, 50), ("release", "left", 50, 50)]


def test_a_click_counts_where_the_pointer_left_and_entered_the_window(told: Events_) -> None:
    """As when another window covered this one for a while: glfw reports no move to the same position."""
    events, viewer, ui = told
    events.move(150, 50)
    events.leave()
    assert ui.pointer is None
    events.button(glfw.MOUSE_BUTTON_LEFT, True)
    assert viewer.said == []
    events.enter()
    events.button(glfw.MOUSE_BUTTON_LEFT, True)
    assert viewer.said == [("press", "left", 150, 50)]


def test_a_second_close_request_skips_the_confirmation(told: Events_) -> None:
    events, viewer, ui = told
    events.close()
    assert not ui.close_confirmed
    viewer.closing = True
    events.close()
    assert not ui.close_confirmed, "the confirmation is to be seen first"
    for _ in range(LAYOUTS):
        lay_out(events)
    assert ui.close_confirmed


def test_input_waits_for_the_layout_of_the_panels(told: Events_) -> None:
    """After the window opened or changed its size, or a world was opened, or a panel was opened or closed."""
    events, viewer, ui = told
    drawn: list[str] = []

    changes = {
        "a world is opened": lambda: setattr(viewer, "camera", Camera((96, 64), (400, 300))),
        "a panel is closed": lambda: viewer.panels.update(help=False),
        "an overlay is shown": lambda: setattr(viewer, "overlay", "temperature"),
        "larger text": lambda: setattr(viewer, "text_scale", 1.5),
        "a menu is opened": lambda: setattr(ui, "menu_open", True),
        "the window is resized": lambda: events.resize(300, 200),
    }
    for change, act in changes.items():
        viewer.said.clear()
        act()
        ui.areas = [Area(0, 0, 100, 100)]  # where a panel lies before the layout
        ui.menu_open = change == "a menu is opened"
        events.move(50, 50)
        events.wheel(0, 1)
        for layouts in range(LAYOUTS):
            assert viewer.said == [], (change, layouts)
            assert events.pending
            ui.areas = []
            ui.menu_open = False
            lay_out(events)
        drawn.append(change)
        for _ in range(LAYOUTS):  # the menu was closed
            lay_out(events)
        assert viewer.said == [("wheel", 1)], change
        assert not events.pending
    assert drawn == [*changes]


def test_a_resize_waits_for_earlier_input_and_for_no_layout(told: Events_) -> None:
    events, viewer, ui = told
    ui.areas = [Area(0, 0, 100, 100)]
    events.resize(300, 200)
    events.resize(200, 100)
    assert viewer.camera.window == (200, 100)
    events.resize(0, 0)  # as of a minimised window
    assert viewer.camera.window == (200, 100)
    for _ in range(LAYOUTS):
        lay_out(events)
    events.move(50, 50)
    events.button(glfw.MOUSE_BUTTON_LEFT, True)
    events.key(glfw.KEY_P, 0, glfw.PRESS, 0)
    events.resize(400, 300)
    for layouts in range(LAYOUTS):
        assert viewer.camera.window == (200, 100), layouts
        lay_out(events)
    assert (viewer.said, viewer.camera.window) == (["p"], (400, 300))


def test_input_before_the_first_layout_is_kept_in_order(told: Events_) -> None:
    _, viewer, ui = told
    events = Events(told[0]._window, viewer, ui)  # pyright: ignore[reportArgumentType]
    events.move(50, 50)
    events.wheel(0, 1)
    events.key(glfw.KEY_P, 0, glfw.PRESS, 0)
    events.button(glfw.MOUSE_BUTTON_LEFT, True)
    events.button(glfw.MOUSE_BUTTON_LEFT, False)
    events.drop(["a.toml"])
    events.close()
    for layouts in range(LAYOUTS):
        assert viewer.said == [], layouts
        lay_out(events)
    click = [("press", "left", 50, 50), ("release", "left", 50, 50)]
    assert viewer.said == [("wheel", 1), "p", *click, ("request_open", {"path": "a.toml"}), ("close", {})]


def test_dropped_files_and_a_close_request_wait_for_paint_behind_a_click_on_a_panel(told: Events_) -> None:
    events, viewer, ui = told
    ui.areas = [Area(0, 0, 100, 100)]
    for x in (50, 150):
        events.move(x, 50)
        events.button(glfw.MOUSE_BUTTON_LEFT, True)
        events.button(glfw.MOUSE_BUTTON_LEFT, False)
    events.drop(["a.toml"])
    events.close()
    assert viewer.said == []
    for _ in range(2 * LAYOUTS):
        lay_out(events)
    stroke = [("press", "left", 150, 50), ("release", "left", 150, 50)]
    assert viewer.said == [*stroke, ("request_open", {"path": "a.toml"}), ("close", {})]


def test_a_click_waits_for_typed_text_and_typed_text_for_no_text(
    told: Events_, monkeypatch: pytest.MonkeyPatch
) -> None:
    events, viewer, _ = told
    monkeypatch.setattr(Events, "_typing", True)
    for _ in range(2):
        events.key(glfw.KEY_P, 0, glfw.PRESS, 0)
        events.letter("p")
        events.key(glfw.KEY_P, 0, glfw.RELEASE, 0)
    assert imgui.get_current_context().input_events_queue.size() == 2, "both letters"
    events.move(150, 50)
    events.button(glfw.MOUSE_BUTTON_LEFT, True)
    assert viewer.said == []
    lay_out(events)
    assert viewer.said == [("press", "left", 150, 50)]


def test_a_letter_is_for_no_text_input_that_a_later_click_opens(told: Events_) -> None:
    events, viewer, ui = told
    ui.areas = [Area(0, 0, 100, 100)]
    events.key(glfw.KEY_P, 0, glfw.PRESS, 0)
    events.letter("p")
    events.move(50, 50)
    events.button(glfw.MOUSE_BUTTON_LEFT, True)
    assert viewer.said == ["p"]
    imgui.new_frame()
    assert imgui.get_io().input_queue_characters.empty()
    imgui.render()


def test_input_waits_until_the_input_that_gets_the_keys_has_them(told: Events_) -> None:
    events, viewer, ui = told
    ui.focus_due = 2
    events.key(glfw.KEY_P, 0, glfw.PRESS, 0)
    for layouts in range(2):
        assert (viewer.said, events.pending) == ([], True), layouts
        lay_out(events)
        ui.focus_due -= 1
    lay_out(events)
    assert viewer.said == ["p"]


def test_escape_is_for_an_open_menu_before_a_page(told: Events_) -> None:
    events, viewer, ui = told
    ui.menu_open = True
    for _ in range(2 * LAYOUTS):
        lay_out(events)
    events.key(glfw.KEY_ESCAPE, 0, glfw.PRESS, 0)
    assert viewer.said == []
    ui.menu_open = False
    for _ in range(2 * LAYOUTS):
        lay_out(events)
    events.key(glfw.KEY_ESCAPE, 0, glfw.PRESS, 0)
    assert viewer.said == [("panel", {"name": "help"})]


@pytest.mark.parametrize(
    ("seconds", "further", "button", "double"),
    [
        (0.1, 0, glfw.MOUSE_BUTTON_LEFT, True),
        (0.1, 5, glfw.MOUSE_BUTTON_LEFT, True),
        (0.5, 0, glfw.MOUSE_BUTTON_LEFT, False),
        (0.1, 20, glfw.MOUSE_BUTTON_LEFT, False),
        (0.1, 0, glfw.MOUSE_BUTTON_RIGHT, False),
    ],
)
def test_a_double_click_is_two_presses_soon_after_each_other_however_slow_the_layouts(
    told: Events_, monkeypatch: pytest.MonkeyPatch, seconds: float, further: int, button: int, double: bool
) -> None:
    events, _, ui = told
    ui.areas = [Area(0, 0, 100, 100)]
    now = 0.0
    monkeypatch.setattr("gpufluid.viewer.events.time.monotonic", lambda: now)
    for press, (x, each) in enumerate(((50, glfw.MOUSE_BUTTON_LEFT), (50 + further, button))):
        now = press * seconds
        events.move(x, 50)
        events.button(each, True)
        events.button(each, False)
    now = 100.0
    assert not ui.double_click, "the second press waits for the panels"
    for _ in range(4 * LAYOUTS):
        lay_out(events)
    assert ui.double_click == double


def test_a_third_press_is_no_second_double_click(told: Events_) -> None:
    events, _, ui = told
    found = []
    events.move(150, 50)
    for _ in range(4):
        events.button(glfw.MOUSE_BUTTON_LEFT, True)
        events.button(glfw.MOUSE_BUTTON_LEFT, False)
        found.append(ui.double_click)
    assert found == [False, True, False, True]


def test_a_key_after_enter_waits_until_no_text_is_typed(told: Events_, monkeypatch: pytest.MonkeyPatch) -> None:
    events, viewer, _ = told
    monkeypatch.setattr(Events, "_typing", True)
    events.key(glfw.KEY_ENTER, 0, glfw.PRESS, 0)
    events.key(glfw.KEY_P, 0, glfw.PRESS, 0)
    monkeypatch.setattr(Events, "_typing", False)
    for layouts in range(LAYOUTS):
        assert viewer.said == [], layouts
        lay_out(events)
    assert viewer.said == ["p"]


def test_input_waits_while_imgui_spreads_earlier_input_over_layouts(told: Events_) -> None:
    events, viewer, ui = told
    ui.areas = [Area(0, 0, 100, 100)]
    events.move(50, 50)
    events.button(glfw.MOUSE_BUTTON_LEFT, True)
    for down in (False, True):
        imgui.get_io().add_mouse_button_event(glfw.MOUSE_BUTTON_LEFT, down)
    events.key(glfw.KEY_P, 0, glfw.PRESS, 0)
    for layouts in range(2 + LAYOUTS):  # imgui takes one change of a button in a layout
        assert viewer.said == [], layouts
        lay_out(events)
    assert viewer.said == ["p"]


def test_the_window_reports_that_the_pointer_enters_and_leaves() -> None:
    window = GlfwWindow.__new__(GlfwWindow)
    heard: list[str] = []
    listener = SimpleNamespace(enter=lambda: heard.append("enter"), leave=lambda: heard.append("leave"))
    window.listener = listener  # pyright: ignore[reportAttributeAccessIssue]
    window.glfw_cursor_enter(None, 1)
    window.glfw_cursor_enter(None, 0)
    assert heard == ["enter", "leave"]


def test_pointer_positions_are_scaled_to_pixels_on_high_density_screens(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the sizes in the events so far; glfw's own answers may be of a later resize."""
    monkeypatch.setattr(glfw, "get_window_size", lambda _: (900, 500))
    monkeypatch.setattr(glfw, "get_framebuffer_size", lambda _: (900, 500))
    monkeypatch.setattr(Window, "glfw_window_resize_callback", lambda *_: None)
    window = GlfwWindow.__new__(GlfwWindow)
    heard: list[tuple[float, float]] = []
    listener = SimpleNamespace(
        move=lambda x, y: heard.append((x, y)), resize=lambda width, height: heard.append((width, height))
    )
    window.listener = listener  # pyright: ignore[reportAttributeAccessIssue]
    for factor in (2, 1):
        window._resized(None, 640 * factor, 400 * factor)
        window.glfw_window_resize_callback(None, 640, 400)
        window.glfw_mouse_event_callback(None, 100.5, 20.25)
    assert heard == [(1280, 800), (201, 40.5), (640, 400), (100.5, 20.25)]
    assert window.framebuffer_size == (640, 400)
