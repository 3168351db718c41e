"""The picture of a live view: frames go to the browser, and events of pointer and keys come back to a `Viewer`."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
from jupyter_rfb import RemoteFrameBuffer  # pyright: ignore[reportMissingImports] of an extra
from PIL import Image

from gpufluid.viewer import Viewer
from gpufluid.viewer.actions import ACTIONS
from gpufluid.viewer.keys import chord

FRAME_SECONDS = 1 / 60
"""Shortest time between two frames."""

_HIDDEN_SECONDS = 0.2
"""Time between two checks whether a hidden view has become visible."""

_SILENT_SECONDS = 2.0
"""A view counts as hidden if its page has not confirmed the last frames for this time: the page is in the background,
or closed, which it does not report."""

_LEAST_PAUSE = 0.002
"""Least time in each frame for the notebook's own messages."""

_BUTTONS = {1: "left", 2: "right", 3: "middle"}
_MODIFIERS = {"Control": "ctrl", "Shift": "shift", "Alt": "alt"}
_KEYS = {
    " ": "space",
    "ArrowLeft": "left",
    "ArrowRight": "right",
    "ArrowUp": "up",
    "ArrowDown": "down",
    "PageUp": "pageup",
    "PageDown": "pagedown",
}
"""The names of keys in chords, where they are not those of the browser in lower case."""

KEY_GROUPS = ("Time", "Paint", "Material", "View")
"""The groups of actions that keys run. Actions on files and windows are run by `View.do` alone."""

_NOTCH = 100
"""Pixels that a browser scrolls in a notch of the wheel."""


class Canvas(RemoteFrameBuffer):
    """Shows a viewer's picture, and lets time run while it is seen.

    Args:
        viewer: the viewer; it belongs to the canvas, which closes it.
        after_frame: called after each frame, in which ticks may have run.
        size: (width, height) in the page's pixels.
    """

    def __init__(self, viewer: Viewer, after_frame: Callable[[], None], size: tuple[int, int]) -> None:
        self._viewer, self._after_frame = viewer, after_frame
        self._ratio = 1.0
        self._space = ""  # how the space bar is held: "": it is not; "pressed"; "used" for a drag
        self._scrolled = 0.0
        self._running: asyncio.Task[None] | None = None
        self._shown: tuple[object, ...] = ()
        self._confirmed, self._heard = 0, 0.0  # the last frame that a page has confirmed, and when it was found
        self._failure = ""  # the last error of a frame
        self.ended = False
        super().__init__(css_width=f"{size[0]}px", css_height=f"{size[1]}px", cursor="crosshair", resizable=True)

    def get_frame(self) -> np.ndarray | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The viewer's picture, (height, width, 3) uint8, sRGB; None once the view is closed."""
        if self.ended:
            return None
        viewer, camera = self._viewer, self._viewer.camera
        with viewer.sim.device:
            texture = viewer.picture()
            texels = np.frombuffer(texture.read(), np.uint8).reshape(texture.height, texture.width, 4)
        frame = texels[:, :, :3]
        if camera.stretch == 1:
            return np.ascontiguousarray(frame)
        width, height = camera.window
        seen = (0, 0, width / camera.stretch, height / camera.stretch)
        return np.asarray(Image.fromarray(frame).resize((width, height), Image.Resampling.BOX, box=seen))

    def handle_event(self, event: dict[str, Any]) -> None:
        """Handle an event of the browser; see `jupyter_rfb.events`."""
        if event["type"] == "close":
            self.end()
        if self.ended:
            return
        if self._is_silent(time.monotonic()):  # a reloaded page never confirms the frames sent before
            self._frame_feedback = {"index": self._rfb_frame_index, "timestamp": time.time(), "localtime": time.time()}
        if self._running is None:  # the first event comes in the notebook's loop, in which time is to run
            self._running = asyncio.get_running_loop().create_task(self._run())
        handle = getattr(self, f"_on_{event['type']}", None)
        if handle is not None:
            handle(event)
        self._request_if_changed()

    def _on_resize(self, event: dict[str, Any]) -> None:
        self._ratio = float(event.get("ratio") or event.get("pixel_ratio") or 1)
        size = round(event["width"] * self._ratio), round(event["height"] * self._ratio)
        if min(size) < 1:
            return
        camera = self._viewer.camera
        fitted = camera.fitted
        camera.resize(size)
        if fitted:
            camera.fit()

    def _on_pointer_down(self, event: dict[str, Any]) -> None:
        if self._space:
            self._space = "used"
        button = _BUTTONS.get(event["button"])
        if button is not None:
            self._viewer.pointer.press(button, *self._pixel(event), self._held(event))

    def _on_pointer_move(self, event: dict[str, Any]) -> None:
        self._viewer.pointer.move(*self._pixel(event), self._held(event))

    def _on_pointer_up(self, event: dict[str, Any]) -> None:
        button = _BUTTONS.get(event["button"])
        if button is not None:
            self._viewer.pointer.release(button, *self._pixel(event), self._held(event))

    def _on_wheel(self, event: dict[str, Any]) -> None:
        """Zoom about the pointer; a touch pad scrolls parts of a notch, which add up."""
        self._scrolled -= event["dy"] / _NOTCH
        steps = int(self._scrolled)
        self._scrolled -= steps
        if steps:
            self._viewer.pointer.wheel(steps, *self._pixel(event), self._held(event))

    def _on_key_down(self, event: dict[str, Any]) -> None:
        name, held = _key_name(event["key"]), self._held(event)
        if name == "space":
            self._space = self._space or "pressed"  # it acts once it is released, unless a drag has used it
        else:
            self._press(name, held)

    def _on_key_up(self, event: dict[str, Any]) -> None:
        if _key_name(event["key"]) == "space":
            pressed, self._space = self._space == "pressed", ""
            if pressed:
                self._press("space", self._held(event))

    def _press(self, key: str, held: frozenset[str]) -> None:
        """Run the action of a key, with Shift or else without it: some keyboards need Shift for a sign such as +."""
        for pressed in (chord(key, held), chord(key, held - {"shift"})):
            name = self._viewer.bindings.get(pressed, ("", {}))[0]
            if name:
                if ACTIONS[name].group in KEY_GROUPS:
                    self._viewer.press(pressed)
                return

    def _pixel(self, event: dict[str, Any]) -> tuple[float, float]:
        return event["x"] * self._ratio, event["y"] * self._ratio

    def _held(self, event: dict[str, Any]) -> frozenset[str]:
        held = {_MODIFIERS[name] for name in event.get("modifiers", ()) if name in _MODIFIERS}
        return frozenset(held | ({"space"} if self._space else set()))

    async def _run(self) -> None:
        """Run frames until the view is closed. Time stands still while nobody sees it."""
        while not self.ended:
            began = time.monotonic()
            seen = self._has_visible_views and not self._is_silent(began)
            if seen:
                self._try(lambda began=began: self._viewer.advance(began))
                self._try(self._after_frame)
                self._request_if_changed()
            least = FRAME_SECONDS if seen else _HIDDEN_SECONDS
            await asyncio.sleep(max(began + least - time.monotonic(), _LEAST_PAUSE))

    def _try(self, act: Callable[[], None]) -> None:
        """Call a function; pause time if it fails. The notebook would never show an error of a task: print it once."""
        try:
            act()
        except Exception:
            self._viewer.clock.paused = True
            failure = traceback.format_exc()
            if failure != self._failure:
                self._failure = failure
                self.print(failure)

    def _is_silent(self, now: float) -> bool:
        """True if the page has not confirmed the last frames for `_SILENT_SECONDS`, at a time, in seconds."""
        confirmed = self._frame_feedback.get("index", 0)
        if confirmed != self._confirmed or confirmed >= self._rfb_frame_index:
            self._confirmed, self._heard = confirmed, now
        return now - self._heard > _SILENT_SECONDS

    def _request_if_changed(self) -> None:
        """Request a frame if the picture has changed since the last one."""
        viewer, camera = self._viewer, self._viewer.camera
        view = camera.scale, camera.offset, camera.window, camera.stretch
        seen = (viewer.sim, viewer.sim.state_number, view, viewer.overlay, viewer.look)
        if seen != self._shown or not viewer.pacing.drawn_whole:
            self._shown = seen
            self.request_draw()

    def end(self) -> None:
        """End the view and release the memory of its world; a second call does nothing."""
        if not self.ended:
            self.ended = True
            self._output_context.close()
            self._viewer.close()


def _key_name(key: str) -> str:
    """The name in chords of a key of the browser."""
    return _KEYS.get(key, key.lower())
