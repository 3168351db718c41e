"""Keys and pointer: whose they are, the panels' or the world's, and what they are called there."""

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
    from gpufluid.viewer.panels.desk import Desk
    from gpufluid.viewer.viewer import Viewer

_BUTTONS = {
    glfw.MOUSE_BUTTON_LEFT: "left",
    glfw.MOUSE_BUTTON_RIGHT: "right",
    glfw.MOUSE_BUTTON_MIDDLE: "middle",
}
_FRAMES_A_CLICK = 3
"""imgui takes a move, a press and a release that came at once in a frame each."""

_SPACE = "space"
_MODIFIER_KEYS = {"ctrl": imgui.Key.mod_ctrl, "shift": imgui.Key.mod_shift, "alt": imgui.Key.mod_alt}


class Events:
    """A `glfw_window.Listener` that shares events out.

    Each goes to imgui, and to the viewer where no panel lies below the pointer and no text is being typed. What begins
    over the world ends there, wherever the pointer has got to, and so with panels. Panels act when they are drawn: what
    follows a click on one waits until then, so that who clicks a material and then the world paints with it, however
    long a frame takes.

    Args:
        window: where they come from.
        viewer: whose world it is.
        desk: where the panels lie.
    """

    def __init__(self, window: GlfwWindow, viewer: Viewer, desk: Desk) -> None:
        self._window, self._viewer, self._desk = window, viewer, desk
        self._dragging: set[int] = set()
        self._scrolled = 0.0
        self._unbound = False
        self._space_waits = False
        self._frames_due = 0  # until the panels have acted on the last click
        self._waiting: deque[Callable[[], None]] = deque()

    def drawn(self) -> None:
        """The panels have been drawn: what has waited for them to act happens now."""
        self._frames_due = max(self._frames_due - 1, 0)
        while self._waiting and not self._frames_due:
            self._waiting.popleft()()

    def _in_turn(self, act: Callable[[], None]) -> None:
        """Do something in the world, after all that waits."""
        self._waiting.append(act)
        while self._waiting and not self._frames_due:
            self._waiting.popleft()()

    def key(self, key: int, scancode: int, action: int, modifiers: int) -> None:
        """A key went down, up, or repeats."""
        self._tell_imgui(key, action, modifiers)
        self._in_turn(lambda: self._key(key_name(key, scancode), action, modifiers))

    def _key(self, name: str | None, action: int, modifiers: int) -> None:
        self._unbound = False
        if name is None or self._desk.asking or (self._typing and is_for_text(name, modifiers)):
            self._space_waits = False
        elif name == _SPACE:
            self._space(action)
        elif action != glfw.RELEASE:
            held = frozenset(word for word, (bit, _) in HELD.items() if modifiers & bit)
            self._unbound = not self._press(chord(name, held), action == glfw.REPEAT)
            if self._unbound and name == "escape":
                self._close_page()

    def letter(self, letter: str) -> None:
        """A key or several have made a letter; bound signs are found wherever a keyboard has them."""
        imgui.get_io().add_input_character(ord(letter))
        self._in_turn(lambda: self._letter(letter))

    def _letter(self, letter: str) -> None:
        if self._unbound and not letter.isalnum() and not self._typing:
            self._press(chord(letter), repeats=False)
        self._unbound = False

    def move(self, x: float, y: float) -> None:
        """The pointer is at a pixel."""
        imgui.get_io().add_mouse_pos_event(x, y)
        self._desk.pointer = x, y
        held = self._held()
        self._in_turn(lambda: self._viewer.pointer.move(x, y, held))

    def leave(self) -> None:
        """The pointer has left the window."""
        if not self._dragging:
            self._desk.pointer = None

    def button(self, button: int, down: bool) -> None:
        """A button went down or up where the pointer was at the last move: by now it may be elsewhere."""
        if button not in _BUTTONS or self._desk.pointer is None:
            return
        at, to, held = self._desk.pointer, self._viewer.pointer, self._held()
        if down and not self._desk.covers(*at):
            self._dragging.add(button)
            self._space_waits = False
            imgui.set_window_focus(None)
            self._in_turn(lambda: to.press(_BUTTONS[button], *at, held))
        elif not down and button in self._dragging:
            self._dragging.discard(button)
            self._in_turn(lambda: to.release(_BUTTONS[button], *at, held))
        else:
            self._frames_due = _FRAMES_A_CLICK
            imgui.get_io().add_mouse_button_event(button, down)

    def wheel(self, x: float, y: float) -> None:
        """The wheel turned; a touch pad turns it by parts of a notch."""
        if self._desk.pointer is None or self._desk.covers(*self._desk.pointer):
            imgui.get_io().add_mouse_wheel_event(x, y)
            return
        self._scrolled += y
        steps = int(self._scrolled)
        self._scrolled -= steps
        if steps:
            at, held = self._desk.pointer, self._held()
            self._in_turn(lambda: self._viewer.pointer.wheel(steps, *at, held))

    def focus(self, gained: bool) -> None:
        """The window has the keyboard, or has it no longer: what is held down is then let go of."""
        imgui.get_io().add_focus_event(gained)
        self._space_waits = False

    def drop(self, paths: list[str]) -> None:
        """Files were dropped: the first is opened."""
        if paths:
            self._viewer.attempt(lambda: self._viewer.do("open", path=paths[0]))

    def close(self) -> None:
        """The window is asked to close; who asks again means it."""
        if self._viewer.closing:
            self._desk.leave = True
        self._viewer.attempt(lambda: self._viewer.do("close"))

    @property
    def _typing(self) -> bool:
        return imgui.get_io().want_text_input or self._desk.asking

    def _press(self, pressed: str, repeats: bool) -> bool:
        """Whether the chord is bound; one that repeats does what may be done again and again."""
        name = self._viewer.bindings.get(pressed, ("", {}))[0]
        return bool(name) if repeats and name in _ONCE else self._viewer.press(pressed)

    def _close_page(self) -> None:
        """What Escape does unless it is bound."""
        for page in ("help", "scenes", "welcome"):
            if self._viewer.panels[page]:
                self._viewer.do("panel", name=page)
                return

    def _space(self, action: int) -> None:
        """The space bar held moves the world: what it is bound to happens when it comes up, unless it was for that."""
        if action == glfw.PRESS:
            self._space_waits = True
        elif action == glfw.RELEASE and self._space_waits:
            self._space_waits = False
            self._viewer.press(chord(_SPACE, self._held() - {_SPACE}))

    def _held(self) -> frozenset[str]:
        held = {word for word, (_, keys) in HELD.items() if self._window.held(*keys)}
        return frozenset(held | ({_SPACE} if self._window.held(glfw.KEY_SPACE) else set()))

    def _tell_imgui(self, key: int, action: int, modifiers: int) -> None:
        io = imgui.get_io()
        for word, (bit, _) in HELD.items():
            io.add_key_event(_MODIFIER_KEYS[word], bool(modifiers & bit))
        known = imgui_key(key)
        if known is not None and action != glfw.REPEAT:
            io.add_key_event(known, action == glfw.PRESS)


_ONCE = frozenset({"pause", "reset", "panel", "full_screen", "record", "screenshot", "save", "save_scene", "close"})
"""A key held down does not do these again and again."""
