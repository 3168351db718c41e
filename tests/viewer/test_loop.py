"""The frame loop in a window that draws nothing: the first pictures, and a minimised window, which Xvfb cannot have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed")

import glfw

from gpufluid import World
from gpufluid.gpu.preparing import Preparing
from gpufluid.viewer import window as window_module
from gpufluid.viewer.camera import Camera
from gpufluid.viewer.events import Events
from gpufluid.viewer.panels import dialogs, messages, widgets, world_dialogs
from gpufluid.viewer.panels.ui_state import UiState
from gpufluid.viewer.preferences import preferences_file, read_preferences
from gpufluid.viewer.starting import KeptEvents
from gpufluid.viewer.viewer import Viewer

pytestmark = pytest.mark.usefixtures("device", "imgui_context")

MOST_FRAMES = 100


class FakeWindow:
    """A window of 800 x 600 pixels.

    Args:
        minimised: whether the window is minimised.
        script: called with the window's listener, one after another, when the loop handles events.
    """

    framebuffer_size = (800, 600)
    content_scale = 1.0
    fullscreen = False
    title = ""
    listener: Events

    def __init__(self, minimised: bool, *script: Callable[[Events], object]) -> None:
        self.minimised, self._script, self.frames = minimised, list(script), 0

    def wait(self, _: float) -> None:
        self.frames += 1
        assert self.frames < MOST_FRAMES, "the loop does not end"
        if self._script:
            self._script.pop(0)(self.listener)

    def swap_buffers(self) -> None:
        pass

    def is_down(self, *_: int) -> bool:
        return False


class FakeRenderer:
    """Records the camera of each picture drawn."""

    def __init__(self, viewer: Viewer) -> None:
        self.drawn: list[tuple[object, ...]] = []
        self.margins: list[tuple[int, int, int, int]] = []
        self._viewer = viewer

    def draw_picture(self, *_: object) -> None:
        camera = self._viewer.camera
        self.drawn.append((camera.world, camera.scale, camera.offset))
        self.margins.append(camera.margins)

    def draw_grounds(self, *_: object) -> None:
        pass

    def draw_panels(self, *_: object) -> None:
        pass


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "gpufluid").mkdir()
    (tmp_path / "gpufluid" / "welcomed").touch()
    viewer = Viewer(World(64, 96, ("atoms",)), source="pool", window=(300, 200))
    viewer.clock.paused = True
    yield viewer
    viewer.close()


def run(viewer: Viewer, minimised: bool, *script: Callable[[Events], object]) -> tuple[FakeWindow, FakeRenderer]:
    renderer: Any = FakeRenderer(viewer)
    window: Any = FakeWindow(minimised, *script)
    kept = read_preferences(preferences_file())
    window_module._Loop(window, viewer, UiState(viewer.sim.device, renderer), kept).run()
    return window, renderer


def test_every_picture_of_a_world_shows_it_fitted(viewer: Viewer) -> None:
    def open_another(events: Events) -> None:
        viewer.do("overlay", name="speed")
        viewer.open(World(32, 80, ("atoms",)), "other")
        events.move(400, 300)
        events.wheel(0, 1)

    pauses: list[Callable[[Events], object]] = [lambda _: None] * 4
    _, renderer = run(viewer, False, *pauses, open_another, *pauses, lambda events: events.close())
    first, other = ([view for world, *view in renderer.drawn if world == size] for size in ((96, 64), (80, 32)))
    assert all(view == first[0] for view in first)
    assert len(first) == 5
    fitted = Camera((80, 32), (800, 600))
    fitted.margins = viewer.camera.margins
    fitted.fit()
    assert other[0] == [fitted.scale, fitted.offset]
    fitted.zoom_at((400, 300), 1)
    assert other[-1] == [fitted.scale, fitted.offset]


@pytest.mark.parametrize("zoom", [0, 1])
def test_a_resize_fits_the_view_again_unless_the_user_has_chosen_it(viewer: Viewer, zoom: int) -> None:
    """A tiling window manager changes the size of a new window at once, before its first frame is shown."""

    def zoom_and_resize(events: Events) -> None:
        events.move(400, 300)
        events.wheel(0, zoom)
        events.resize(500, 400)

    pauses: list[Callable[[Events], object]] = [lambda _: None] * 5
    _, renderer = run(viewer, False, zoom_and_resize, *pauses, lambda events: events.close())
    fitted = Camera((96, 64), (800, 600))
    fitted.margins = renderer.margins[0]
    fitted.fit()
    assert renderer.drawn[0] == ((96, 64), fitted.scale, fitted.offset)
    if zoom:
        fitted.zoom_at((400, 300), zoom)
    fitted.resize((500, 400))
    if not zoom:
        fitted.margins = renderer.margins[-1]
        fitted.fit()
    assert renderer.drawn[-1] == ((96, 64), fitted.scale, fitted.offset)


@pytest.mark.parametrize("zoom", [0, 1])
def test_a_panel_that_opens_fits_the_view_again_unless_the_user_has_chosen_it(viewer: Viewer, zoom: int) -> None:
    def zoom_by(events: Events) -> None:
        events.move(500, 300)
        events.wheel(0, zoom)

    def press(key: int) -> Callable[[Events], object]:
        return lambda events: events.key(key, 0, glfw.PRESS, 0)

    pauses: list[Callable[[Events], object]] = [lambda _: None] * 4
    keys = [press(glfw.KEY_F3), *pauses, press(glfw.KEY_F4), *pauses, press(glfw.KEY_F6), *pauses]
    _, renderer = run(viewer, False, *pauses, zoom_by, *pauses, *keys, lambda events: events.close())
    columns = list(dict.fromkeys((left > 0, right > 0) for left, _, right, _ in renderer.margins))
    assert columns == [(True, False), (True, True), (False, True)]
    assert len({margins[3] for margins in renderer.margins}) == 2, "with and without the time bar"
    fitted = Camera((96, 64), (800, 600))
    if zoom:
        fitted.margins = renderer.margins[0]
        fitted.fit()
        fitted.zoom_at((500, 300), zoom)
    for margins, (_, *view) in list(zip(renderer.margins, renderer.drawn, strict=True))[2 * len(pauses) :]:
        if not zoom:
            fitted.margins = margins
            fitted.fit()
        assert view == [fitted.scale, fitted.offset]


def test_a_minimised_window_closes_on_request(viewer: Viewer) -> None:
    def click_and_close(events: Events) -> None:
        events.move(20, 300)
        events.button(glfw.MOUSE_BUTTON_LEFT, True)
        events.button(glfw.MOUSE_BUTTON_LEFT, False)
        events.close()

    window, renderer = run(viewer, True, click_and_close)
    assert viewer.closing
    assert window.frames < 20
    assert renderer.drawn == []


def test_a_width_is_kept_for_the_next_window_but_not_paint_over_walls(viewer: Viewer, tmp_path: Path) -> None:
    """Who has forgotten the second would lose floor and walls."""
    pauses: list[Callable[[Events], object]] = [lambda _: None] * 3
    run(viewer, False, *pauses, lambda events: events.close())
    file = tmp_path / "gpufluid" / "window.toml"
    viewer.closing = False
    run(viewer, False, lambda _: viewer.do("over_walls"), *pauses, lambda events: events.close())
    assert not file.exists(), "nothing was chosen that is kept"
    viewer.do("over_walls")
    file.parent.mkdir(exist_ok=True)
    file.write_text("over_walls = true\nleft_column = 20.0\n")  # as older versions wrote it
    viewer.closing = False
    _, renderer = run(viewer, False, *pauses, lambda events: events.close())
    assert not viewer.tool.over_walls
    assert renderer.margins[0][0] >= 20 * 16


@pytest.mark.long("two worlds of the sandbox; the next test makes a smaller one")
def test_a_new_world_is_made_once_its_dialog_is_gone_and_says_what_is_compiled(
    viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    steps: list[Preparing] = []
    draw_new, opened = world_dialogs.draw_new, viewer.open

    def draw(*given: Any) -> None:
        seen.append("dialog")
        draw_new(*given)

    def open_world(*given: Any) -> None:
        opened(*given)
        seen.append("world")

    def ask_until_made(events: Events) -> None:
        if seen.count("world") == 2:
            events.close()
            return
        if seen.count("asked") == seen.count("world"):
            seen.append("asked")
            viewer.do("ask_new")

    swap = lambda window: seen.append({Events: "frame", KeptEvents: "page"}[type(window.listener)])  # noqa: E731
    monkeypatch.setattr(FakeWindow, "swap_buffers", swap)
    monkeypatch.setitem(dialogs._DIALOGS, "new", replace(dialogs._DIALOGS["new"], draw=draw))
    monkeypatch.setattr(viewer, "open", open_world)
    monkeypatch.setattr(messages, "PREPARING_SECONDS", 0)
    monkeypatch.setattr(messages, "draw_progress", steps.append)
    monkeypatch.setattr(widgets, "button", lambda label, *_, **__: label == "Create")
    monkeypatch.setattr("test_loop.MOST_FRAMES", 2000)
    run(viewer, False, *[ask_until_made] * 1900)
    text = " ".join(seen)
    assert text.count("dialog frame frame page") == 2, "a frame without the dialog is shown first, each time"
    assert text.count("page world") == 2
    assert steps
    assert {step.rule for step in steps} <= set(viewer.sim.blank.rules)


def test_a_request_to_close_while_a_world_is_made_is_not_lost(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "PREPARING_SECONDS", 0)

    def make(events: Events) -> bool:
        monkeypatch.setattr(events._window, "_script", [lambda listener: listener.close()])
        viewer.do("new", rules="matter")
        return True

    def press_key(events: Events) -> None:
        monkeypatch.setattr(viewer, "press", lambda _: make(events))
        events.key(glfw.KEY_F6, 0, glfw.PRESS, 0)

    run(viewer, False, *[lambda _: None] * 4, press_key)
    assert (viewer.closing, viewer.sim.blank.width) == (True, 320)
