"""Routing of key and pointer events to imgui or to the viewer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

import glfw
from imgui_bundle import imgui

from gpufluid.viewer.glfw_keys import HELD, imgui_key, is_for_text, key_name
from gpufluid.viewer.keys import chord

if TYPE_CHECKING:
    from gpufluid.viewer.glfw_window import GlfwWindow
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_BUTTONS = {
    glfw.MOUSE_BUTTON_LEFT: "left",
    glfw.MOUSE_BUTTON_RIGHT: "right",
    glfw.MOUSE_BUTTON_MIDDLE: "middle",
}
_FRAMES_A_CLICK = 3
"""imgui handles a move, a press and a release that arrive together in one frame each."""

_SPACE = "space"
_MODIFIER_KEYS = {"ctrl": imgui.Key.mod_ctrl, "shift": imgui.Key.mod_shift, "alt": imgui.Key.mod_alt}


class Events:
    """A `glfw_window.Listener` that routes events.

    Keys go to imgui, and to the viewer unless text is being typed. Buttons and the wheel go to imgui where a panel lies
    under the pointer, and to the viewer elsewhere. A drag that begins over the world stays with the viewer wherever the
    pointer goes; a drag that begins on a panel stays with imgui. Panels act when they are drawn, so the events after a
    click on a panel are queued until then: a click on a material and then on the world paints with that material,
    however long a frame takes.

    Args:
        window: the source of the events.
        viewer: performs the actions.
        ui: knows the areas of the panels.
    """

    def __init__(self, window: GlfwWindow, viewer: Viewer, ui: UiState) -> None:
        self._window, self._viewer, self._ui = window, viewer, ui
        self._dragging: set[int] = set()
        self._scrolled = 0.0
        self._unbound = False
        self._space_waits = False
        self._frames_due = 0  # frames until the panels have acted on the last click
        self._waiting: deque[Callable[[], None]] = deque()

    @property
    def pending(self) -> bool:
        """Whether input waits for the panels to act on an earlier click."""
        return bool(self._frames_due or self._waiting)

    def panels_drawn(self) -> None:
        """Call after the panels were drawn: runs the queued events once the panels have acted."""
        self._frames_due = max(self._frames_due - 1, 0)
        while self._waiting and not self._frames_due:
            self._waiting.popleft()()

    def _queue(self, act: Callable[[], None]) -> None:
        """Call a function after all queued events, at once if none must wait."""
        self._waiting.append(act)
        while self._waiting and not self._frames_due:
            self._waiting.popleft()()

    def key(self, key: int, scancode: int, action: int, modifiers: int) -> None:
        """Handle a key that was pressed, released or repeated; all arguments are glfw's codes."""
        self._forward_key(key, action, modifiers)
        self._queue(lambda: self._key(key_name(key, scancode), action, modifiers))

    def _key(self, name: str | None, action: int, modifiers: int) -> None:
        self._unbound = False
        if name is None or self._ui.close_dialog_open or (self._typing and is_for_text(name, modifiers)):
            self._space_waits = False
        elif name == _SPACE:
            self._space(action)
        elif action != glfw.RELEASE:
            held = frozenset(word for word, (bit, _) in HELD.items() if modifiers & bit)
            self._unbound = not self._press(chord(name, held), action == glfw.REPEAT)
            if self._unbound and name == "escape":
                self._close_page()

    def letter(self, letter: str) -> None:
        """Handle a typed character. Punctuation bound to an action works wherever the keyboard layout has it."""
        imgui.get_io().add_input_character(ord(letter))
        self._queue(lambda: self._letter(letter))

    def _letter(self, letter: str) -> None:
        if self._unbound and not letter.isalnum() and not self._typing:
            self._press(chord(letter), repeats=False)
        self._unbound = False

    def move(self, x: float, y: float) -> None:
        """Handle a move of the pointer to pixel (x, y)."""
        imgui.get_io().add_mouse_pos_event(x, y)
        self._ui.pointer = x, y
        held = self._held()
        self._queue(lambda: self._viewer.pointer.move(x, y, held))

    def leave(self) -> None:
        """Handle the pointer leaving the window."""
        if not self._dragging:
            self._ui.pointer = None

    def button(self, button: int, down: bool) -> None:
        """Handle a button at the position of the last move event; the pointer may have moved on since."""
        if button not in _BUTTONS or self._ui.pointer is None:
            return
        at, to, held = self._ui.pointer, self._viewer.pointer, self._held()
        if down and not self._ui.covers(*at):
            self._dragging.add(button)
            self._space_waits = False
            imgui.set_window_focus(None)
            self._queue(lambda: to.press(_BUTTONS[button], *at, held))
        elif not down and button in self._dragging:
            self._dragging.discard(button)
            self._queue(lambda: to.release(_BUTTONS[button], *at, held))
        else:
            self._frames_due = _FRAMES_A_CLICK
            imgui.get_io().add_mouse_button_event(button, down)

    def wheel(self, x: float, y: float) -> None:
        """Handle the wheel; a touch pad reports fractions of a notch, which add up."""
        if self._ui.pointer is None or self._ui.covers(*self._ui.pointer):
            imgui.get_io().add_mouse_wheel_event(x, y)
            return
        self._scrolled += y
        steps = int(self._scrolled)
        self._scrolled -= steps
        if steps:
            at, held = self._ui.pointer, self._held()
            self._queue(lambda: self._viewer.pointer.wheel(steps, *at, held))

    def focus(self, gained: bool) -> None:
        """Handle gained or lost keyboard focus; imgui then releases all keys."""
        imgui.get_io().add_focus_event(gained)
        self._space_waits = False

    def drop(self, paths: list[str]) -> None:
        """Open the first of the files dropped on the window."""
        if paths:
            self._viewer.attempt(lambda: self._viewer.do("open", path=paths[0]))

    def close(self) -> None:
        """Handle a request to close the window. A second close request skips the confirmation."""
        if self._viewer.closing:
            self._ui.close_confirmed = True
        self._viewer.attempt(lambda: self._viewer.do("close"))

    @property
    def _typing(self) -> bool:
        return imgui.get_io().want_text_input or self._ui.close_dialog_open

    def _press(self, pressed: str, repeats: bool) -> bool:
        """Run a chord's action, unless a repeated key must not repeat it. Returns whether the chord is bound."""
        name = self._viewer.bindings.get(pressed, ("", {}))[0]
        return bool(name) if repeats and name in _NOT_REPEATED else self._viewer.press(pressed)

    def _close_page(self) -> None:
        """Close the open page, as Escape does unless it is bound."""
        for page in ("help", "scenes", "welcome"):
            if self._viewer.panels[page]:
                self._viewer.do("panel", name=page)
                return

    def _space(self, action: int) -> None:
        """Run the space bar's action on release, unless the bar was held to drag the world."""
        if action == glfw.PRESS:
            self._space_waits = True
        elif action == glfw.RELEASE and self._space_waits:
            self._space_waits = False
            self._viewer.press(chord(_SPACE, self._held() - {_SPACE}))

    def _held(self) -> frozenset[str]:
        held = {word for word, (_, keys) in HELD.items() if self._window.is_down(*keys)}
        return frozenset(held | ({_SPACE} if self._window.is_down(glfw.KEY_SPACE) else set()))

    def _forward_key(self, key: int, action: int, modifiers: int) -> None:
        io = imgui.get_io()
        for word, (bit, _) in HELD.items():
            io.add_key_event(_MODIFIER_KEYS[word], bool(modifiers & bit))
        known = imgui_key(key)
        if known is not None and action != glfw.REPEAT:
            io.add_key_event(known, action == glfw.PRESS)


_NOT_REPEATED = frozenset(
    {"pause", "reset", "panel", "full_screen", "record", "screenshot", "save", "save_scene", "close"}
)
"""Actions that a held key does not repeat."""
