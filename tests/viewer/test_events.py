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
from gpufluid.viewer.events import Events
from gpufluid.viewer.glfw_window import GlfwWindow
from gpufluid.viewer.panels.ui_state import UiState


class Told:
    """A viewer that records its calls."""

    def __init__(self) -> None:
        self.said: list[Any] = []
        self.bindings = {"[": ("smaller", {}), "ctrl+z": ("undo", {}), "p": ("pause", {}), "space": ("pause", {})}
        self.bindings |= {"f1": ("help", {}), "ctrl+s": ("save", {})}
        self.panels = {"help": True, "scenes": False, "welcome": False}
        self.closing = False
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
    names = {glfw.KEY_Z: "z", glfw.KEY_P: "p", glfw.KEY_8: "8", glfw.KEY_S: "s"}
    monkeypatch.setattr(glfw_keys.glfw, "get_key_name", lambda key, _: names.get(key))
    viewer, ui = Told(), UiState(None, None)  # pyright: ignore[reportArgumentType]
    window = SimpleNamespace(is_down=lambda *_: False)
    yield Events(window, viewer, ui), viewer, ui  # pyright: ignore[reportArgumentType]
    imgui.destroy_context(context)


Events_ = tuple[Events, Told, UiState]


def test_dropping_files_opens_the_first(told: Events_, tmp_path: Path) -> None:
    told[0].drop([str(tmp_path / "a.toml"), "b"])
    told[0].drop([])
    assert told[1].said == [("open", {"path": str(tmp_path / "a.toml")})]


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
    for frames in range(3):
        assert viewer.said == [], frames
        events.panels_drawn()
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
    for _ in range(3):
        events.panels_drawn()
    events.move(150, 50)
    events.button(glfw.MOUSE_BUTTON_LEFT, True)
    events.move(50, 50)
    events.button(glfw.MOUSE_BUTTON_LEFT, False)
    assert viewer.said == [("press", "left", 150, 50), ("release", "left", 50, 50)]


def test_a_second_close_request_skips_the_confirmation(told: Events_) -> None:
    events, viewer, ui = told
    events.close()
    assert not ui.close_confirmed
    viewer.closing = True
    events.close()
    assert ui.close_confirmed


def test_pointer_positions_are_scaled_to_pixels_on_high_density_screens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glfw, "get_window_size", lambda _: (640, 400))
    monkeypatch.setattr(glfw, "get_framebuffer_size", lambda _: (1280, 800))
    window = GlfwWindow.__new__(GlfwWindow)
    window._window = None
    heard: list[tuple[float, float]] = []
    window.listener = SimpleNamespace(move=lambda x, y: heard.append((x, y)))  # pyright: ignore[reportAttributeAccessIssue]
    window.glfw_mouse_event_callback(None, 100.5, 20.25)
    assert heard == [(201, 40.5)]
