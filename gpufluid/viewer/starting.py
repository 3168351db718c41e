"""The window while a world is prepared: a sentence and a bar, drawn between compilations. Input waits meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.gpu.preparing import Preparing
from gpufluid.viewer.panels import messages, style, widgets

if TYPE_CHECKING:
    from gpufluid.gpu.imgui_renderer import ImguiRenderer
    from gpufluid.viewer.events import Events
    from gpufluid.viewer.glfw_window import GlfwWindow

_SECONDS_BETWEEN = 0.05
"""Least time between two frames."""

_WIDE = 34
"""Width of the sentence and the bar, in line heights."""


class ClosedWindow(BaseException):
    """The window was asked to close while its world was prepared. It is no error, so nothing may catch it as one."""


class KeptEvents:
    """A `glfw_window.Listener` that keeps all events for the one that comes after it.

    Args:
        held: returns the names of the held keys.
    """

    def __init__(self, held: Callable[[], frozenset[str]]) -> None:
        self._held = held
        self._kept: list[tuple[str, tuple[object, ...], frozenset[str]]] = []
        self.closing = False  # whether the window was asked to close

    def _keep(self, name: str, *given: object) -> None:
        self._kept.append((name, given, self._held()))

    def pass_on(self, events: Events) -> None:
        """Pass all events on, in order, each with the keys that were held when it arrived; a request to close last."""
        for name, given, held in self._kept:
            with events.held_as(held):
                getattr(events, name)(*given)
        self._kept.clear()
        if self.closing:
            events.close()

    def key(self, key: int, scancode: int, action: int, modifiers: int) -> None:
        """Keep a key."""
        self._keep("key", key, scancode, action, modifiers)

    def letter(self, letter: str) -> None:
        """Keep a typed character."""
        self._keep("letter", letter)

    def move(self, x: float, y: float) -> None:
        """Keep a move of the pointer."""
        self._keep("move", x, y)

    def enter(self) -> None:
        """Keep that the pointer has entered the window."""
        self._keep("enter")

    def leave(self) -> None:
        """Keep that the pointer has left the window."""
        self._keep("leave")

    def button(self, button: int, down: bool) -> None:
        """Keep a press or a release of a button."""
        self._keep("button", button, down)

    def wheel(self, x: float, y: float) -> None:
        """Keep a turn of the wheel."""
        self._keep("wheel", x, y)

    def resize(self, width: int, height: int) -> None:
        """Keep a new size."""
        self._keep("resize", width, height)

    def focus(self, gained: bool) -> None:
        """Keep that the window gained or lost the keyboard focus."""
        self._keep("focus", gained)

    def drop(self, paths: list[str]) -> None:
        """Keep the paths of dropped files."""
        self._keep("drop", paths)

    def close(self) -> None:
        """Note that the window was asked to close."""
        self.closing = True


class PreparationPage:
    """Draws which pass is compiled next. It is called before each of them; see `Device.announcing`.

    Args:
        window: the window.
        renderer: draws the page.
    """

    def __init__(self, window: GlfwWindow, renderer: ImguiRenderer) -> None:
        self._window, self._renderer = window, renderer
        self._began, self._drawn_at = time.monotonic(), 0.0

    def __call__(self, step: Preparing) -> None:
        """Handle input and draw the page if it is time for a frame."""
        now = time.monotonic()
        if now - self._began < messages.PREPARING_SECONDS or now - self._drawn_at < _SECONDS_BETWEEN:
            return
        self._drawn_at = now
        self._window.wait(0)
        self._draw(step)

    def _draw(self, step: Preparing) -> None:
        size = self._window.framebuffer_size
        imgui.get_io().display_size = imgui.ImVec2(*size)
        imgui.get_io().delta_time = _SECONDS_BETWEEN
        imgui.new_frame()
        imgui.set_next_window_pos((size[0] / 2, size[1] / 2), pivot=(0.5, 0.5))
        imgui.set_next_window_size((min(widgets.em(_WIDE), size[0]), 0))
        flags = imgui.WindowFlags_
        imgui.begin("preparing", None, int(flags.no_decoration | flags.no_inputs | flags.no_saved_settings))
        messages.draw_progress(step)
        imgui.end()
        imgui.render()
        self._renderer.draw_grounds([(0, 0, *size)], style.PAPER, size)
        self._renderer.draw_panels(size)
        self._window.swap_buffers()


class StartingPage(PreparationPage):
    """The page before the first frame of the window.

    Args:
        window, renderer: as for `PreparationPage`.
        events: receives the input.
    Raises: ClosedWindow: from a call, if the window was asked to close.
    """

    def __init__(self, window: GlfwWindow, renderer: ImguiRenderer, events: KeptEvents) -> None:
        super().__init__(window, renderer)
        self._events = events
        self._fill()

    def _fill(self) -> None:
        """Fill the window with the background of panels: before, its content is undefined."""
        size = self._window.framebuffer_size
        self._renderer.draw_grounds([(0, 0, *size)], style.PAPER, size)
        self._window.swap_buffers()

    def _draw(self, step: Preparing) -> None:
        if self._events.closing:
            raise ClosedWindow
        style.apply(self._window.content_scale)
        super()._draw(step)
