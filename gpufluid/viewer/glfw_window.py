"""The operating system's window, opened by glfw; a `DeviceError` says what to do where no window can be opened."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from typing import Any, Protocol

import imgui_bundle  # noqa: F401  first: imgui_bundle contains the glfw library that the module glfw must load

from gpufluid.core.errors import DeviceError

try:
    import glfw

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)  # moderngl-window imports pyglm by a deprecated name
        from moderngl_window.context.glfw.window import Window
except ImportError as error:
    raise DeviceError(f"the window needs glfw ({error}); reinstall it: pip install --force-reinstall glfw") from None

_OPENGL = (4, 3)  # as gpu.device.VERSION_NEEDED; software GL offers 4.5 at most, so no later version is requested


class Listener(Protocol):
    """A receiver of window events. Positions are in framebuffer pixels from the top left corner."""

    def key(self, key: int, scancode: int, action: int, modifiers: int) -> None:
        """A key was pressed, released or repeated; all arguments are glfw's codes."""
        ...

    def letter(self, letter: str) -> None:
        """A character was typed."""
        ...

    def move(self, x: float, y: float) -> None:
        """The pointer moved to (x, y)."""
        ...

    def enter(self) -> None:
        """The pointer has entered the window. A move follows if its position is not that of the last move."""
        ...

    def leave(self) -> None:
        """The pointer has left the window."""
        ...

    def button(self, button: int, down: bool) -> None:
        """A mouse button was pressed or released; `button` is glfw's code."""
        ...

    def wheel(self, x: float, y: float) -> None:
        """The wheel turned by (x, y) notches."""
        ...

    def resize(self, width: int, height: int) -> None:
        """The framebuffer has a new size, in pixels."""
        ...

    def focus(self, gained: bool) -> None:
        """The window gained or lost the keyboard focus."""
        ...

    def drop(self, paths: list[str]) -> None:
        """Files were dropped on the window."""
        ...

    def close(self) -> None:
        """The user or the system asked the window to close."""
        ...


class GlfwWindow(Window):
    """moderngl-window's glfw window, passing its events unchanged to a `Listener`.

    Args:
        title: of the window.
        size: (width, height) in the system's points; reduced to the screen's.
    Raises: DeviceError: no screen, or no OpenGL 4.3; the message says what to do.
    """

    listener: Listener | None = None

    def __init__(self, title: str, size: tuple[int, int]) -> None:
        with warnings.catch_warnings(record=True) as reasons:  # the module glfw reports errors as warnings
            warnings.simplefilter("always")
            try:
                _find_screen()
                super().__init__(title=title, gl_version=_OPENGL, size=size, visible=False, vsync=True)
            except DeviceError:
                raise
            except Exception as error:  # moderngl-window raises ValueError, moderngl a bare Exception
                raise DeviceError(_no_opengl([*(str(reason.message) for reason in reasons), str(error)])) from None
        self._shrink_to_screen()
        self._in_points = glfw.get_window_size(self._window)
        self._in_pixels = glfw.get_framebuffer_size(self._window)
        self.exit_key = self.fullscreen_key = None  # the viewer binds these keys itself
        glfw.set_framebuffer_size_callback(self._window, self._resized)
        glfw.set_drop_callback(self._window, self._dropped)  # pyright: ignore[reportArgumentType]

    @property
    def framebuffer_size(self) -> tuple[int, int]:
        """(width, height) in pixels; each at least 1, also of a minimised window.

        As of the last event handled. glfw's own answer is of now, ahead of the input that came before a resize.
        """
        return max(self._in_pixels[0], 1), max(self._in_pixels[1], 1)

    @property
    def content_scale(self) -> float:
        """The monitor's scale factor that the user has set; 1 is normal."""
        return max(glfw.get_window_content_scale(self._window))

    @property
    def minimised(self) -> bool:
        """True if the window is minimised."""
        return bool(glfw.get_window_attrib(self._window, glfw.ICONIFIED))

    def is_down(self, *keys: int) -> bool:
        """True if at least one of these keys, in glfw's codes, is down."""
        return any(glfw.get_key(self._window, key) == glfw.PRESS for key in keys)

    def wait(self, seconds: float) -> None:
        """Handle events for a time in seconds, and at least once."""
        glfw.poll_events()
        end = glfw.get_time() + seconds
        while (left := end - glfw.get_time()) > 0:
            glfw.wait_events_timeout(left)

    def _shrink_to_screen(self) -> None:
        """Shrink the window to the screen's work area, which the monitor's scale factor may have made it exceed."""
        monitor = glfw.get_primary_monitor()
        if monitor:
            most = glfw.get_monitor_workarea(monitor)[2:]
            size = glfw.get_window_size(self._window)
            fitting = tuple(min(side, limit or side) for side, limit in zip(size, most, strict=True))
            if fitting != size:
                glfw.set_window_size(self._window, *fitting)

    def _pixels(self, x: float, y: float) -> tuple[float, float]:
        """Convert window points to framebuffer pixels."""
        (width, height), (across, down) = self._in_points, self.framebuffer_size
        return x * across / max(width, 1), y * down / max(height, 1)

    def _resized(self, _: object, width: int, height: int) -> None:
        self._in_pixels = width, height
        self._tell(lambda to: to.resize(width, height))

    def _dropped(self, _: object, paths: list[str]) -> None:
        self._tell(lambda to: to.drop(paths))

    def _tell(self, event: Callable[[Listener], None]) -> None:
        if self.listener is not None:
            event(self.listener)

    def close(self) -> None:
        """Pass the request to the listener, which decides; the window stays open until then."""
        self.is_closing = False
        self._tell(lambda to: to.close())

    def glfw_window_resize_callback(self, window: Any, width: int, height: int) -> None:  # noqa: ANN401, D102
        self._in_points = width, height
        super().glfw_window_resize_callback(window, width, height)

    def glfw_key_event_callback(self, window: Any, key: int, scancode: int, action: int, mods: int) -> None:  # noqa: ANN401, ARG002, D102
        self._tell(lambda to: to.key(key, scancode, action, mods))

    def glfw_char_callback(self, window: Any, codepoint: int) -> None:  # noqa: ANN401, ARG002, D102
        self._tell(lambda to: to.letter(chr(codepoint)))

    def glfw_mouse_event_callback(self, window: Any, xpos: float, ypos: float) -> None:  # noqa: ANN401, ARG002, D102
        self._tell(lambda to: to.move(*self._pixels(xpos, ypos)))

    def glfw_mouse_button_callback(self, window: Any, button: int, action: int, mods: int) -> None:  # noqa: ANN401, ARG002, D102
        self._tell(lambda to: to.button(button, action == glfw.PRESS))

    def glfw_mouse_scroll_callback(self, window: Any, x_offset: float, y_offset: float) -> None:  # noqa: ANN401, ARG002, D102
        self._tell(lambda to: to.wheel(x_offset, y_offset))

    def glfw_window_focus(self, window: Any, focused: int) -> None:  # noqa: ANN401, ARG002, D102
        self._tell(lambda to: to.focus(bool(focused)))

    def glfw_cursor_enter(self, window: Any, enter: int) -> None:  # noqa: ANN401, ARG002, D102
        self._tell(lambda to: to.enter() if enter else to.leave())


def _find_screen() -> None:
    if not glfw.init():
        raise DeviceError(_no_screen())


def _no_screen() -> str:
    instead = "use `gpufluid serve`, which shows the world in a browser, or `gpufluid run`"
    if sys.platform in ("win32", "darwin"):
        return f"there is no screen to open a window on; {instead}"
    named = [f"{name}={os.environ[name]}" for name in ("DISPLAY", "WAYLAND_DISPLAY") if os.environ.get(name)]
    found = f"{' and '.join(named)} cannot be reached" if named else "neither DISPLAY nor WAYLAND_DISPLAY is set"
    return f"there is no screen to open a window on ({found}); {instead}"


def _no_opengl(reasons: list[str]) -> str:
    driver = "install the graphics vendor's driver"
    if sys.platform == "darwin":
        driver = "macOS stops at 4.1, run gpufluid on Linux or Windows"
    elif sys.platform != "win32":
        driver += ", or Mesa's software one: apt-get install libgl1 libgl1-mesa-dri"
    needed = ".".join(map(str, _OPENGL))
    return f"no window with OpenGL {needed} could be opened here ({reasons[0]}); {driver}"
