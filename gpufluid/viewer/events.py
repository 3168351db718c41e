"""Routing of key and pointer events to imgui or to the viewer."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

import glfw
from imgui_bundle import imgui

from gpufluid.viewer import panels
from gpufluid.viewer.glfw_keys import HELD, imgui_key, is_for_text, key_name
from gpufluid.viewer.keys import chord
from gpufluid.viewer.tool import PAGES

if TYPE_CHECKING:
    from gpufluid.viewer.glfw_window import GlfwWindow
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_BUTTONS = {
    glfw.MOUSE_BUTTON_LEFT: "left",
    glfw.MOUSE_BUTTON_RIGHT: "right",
    glfw.MOUSE_BUTTON_MIDDLE: "middle",
}
_LAYOUTS = 2
"""Layouts of the panels that later input waits for: panels act in the first, and in the second imgui knows their new
sizes and whether text is being typed."""

_SPACE = "space"
_END_TYPING = ("enter", "escape", "tab")
"""Keys that end the input of text; what is typed after them may be a command."""

_MODIFIER_KEYS = {"ctrl": imgui.Key.mod_ctrl, "shift": imgui.Key.mod_shift, "alt": imgui.Key.mod_alt}


_DOUBLE_SECONDS, _DOUBLE_PIXELS = 0.4, 8
"""The most time, and the most pixels along each side, between the two presses of a double click."""


class _Press(NamedTuple):
    """A press of a button: glfw's code of the button, the pixel, and the time in seconds at which it arrived."""

    button: int
    at: tuple[float, float]
    when: float

    def follows(self, earlier: _Press) -> bool:
        """Return True if this press is the second of a double click, whose first press is `earlier`."""
        near = all(abs(here - there) <= _DOUBLE_PIXELS for here, there in zip(self.at, earlier.at, strict=True))
        return self.button == earlier.button and near and self.when - earlier.when <= _DOUBLE_SECONDS


class _Kind(Enum):
    """The condition for which an event waits, besides the events before it."""

    RESIZE = auto()
    """No condition: the panels and the view are to be adapted to the new size soon."""

    KEY = auto()
    """Until the panels have acted on earlier clicks and keys, and lie where these put them, and nothing is due."""

    OTHER = auto()
    """The condition of `KEY`, and until the panels have got the text typed before."""


class Events:
    """A `glfw_window.Listener` that routes events, in the order in which they arrive.

    Keys go to imgui, and to the viewer unless text is being typed. Buttons and the wheel go to imgui where a panel lies
    under the pointer, and to the viewer elsewhere. A drag that begins over the world stays with the viewer wherever the
    pointer goes; a drag that begins on a panel stays with imgui.

    Where an event goes depends on the events before it, and the panels act on these only when they are laid out. So
    events are queued until the panels have acted on earlier clicks and keys, lie where the earlier events put them, and
    the view of a world just opened is fitted. A click on a material and then on the world paints with that material,
    and a zoom before the first frame is a zoom of the fitted view, however long a frame takes.

    Args:
        window: the source of the events.
        viewer: performs the actions.
        ui: knows the areas of the panels.
    """

    def __init__(self, window: GlfwWindow, viewer: Viewer, ui: UiState) -> None:
        self._window, self._viewer, self._ui = window, viewer, ui
        self._at: tuple[float, float] | None = None  # the position in the last move event
        self._dragging: set[int] = set()
        self._pressed: _Press | None = None  # the last press of a button that was not the second of a double click
        self._scrolled = 0.0
        self._unbound = False
        self._space_waits = False
        self._waiting: deque[tuple[_Kind, Callable[[], None]]] = deque()
        self._layouts_due = _LAYOUTS
        self._text_due = False  # whether text was typed that no panel has got yet
        self._arranged = panels.arrangement(viewer, ui)
        self._held_then: frozenset[str] | None = None  # the keys held when an event arrived that was kept

    @contextmanager
    def held_as(self, held: frozenset[str]) -> Iterator[None]:
        """Handle events that arrived earlier, while these keys were held."""
        self._held_then = held
        try:
            yield
        finally:
            self._held_then = None

    @property
    def pending(self) -> bool:
        """True if events are queued, or would be queued until the next layout of the panels."""
        return bool(self._layouts_due or self._text_due or self._ui.focus_due or self._ui.due or self._waiting)

    def panels_drawn(self) -> None:
        """Call after each layout of the panels: handles the queued events that no longer need to wait."""
        # imgui spreads fast input over several layouts, and an input that gets the keys has them some layouts later.
        if not imgui.get_current_context().input_events_queue.size() and not self._ui.focus_due:
            self._layouts_due = max(self._layouts_due - 1, 0)
            self._text_due = False
        self._handle_queued()

    def _queue(self, kind: _Kind, handle: Callable[[], None]) -> None:
        """Call a function after all queued events, at once if none must wait."""
        self._waiting.append((kind, handle))
        self._handle_queued()

    def _handle_queued(self) -> None:
        self._notice_arrangement()
        while self._waiting and self._may_handle(self._waiting[0][0]):
            self._waiting.popleft()[1]()
            self._notice_arrangement()

    def _may_handle(self, kind: _Kind) -> bool:
        if kind is _Kind.RESIZE:
            return True
        # Typed text and keys are one stream, of which imgui keeps the order.
        if self._layouts_due or self._ui.focus_due or self._ui.due:
            return False
        return kind is _Kind.KEY or not self._text_due

    def _notice_arrangement(self) -> None:
        """Let later events wait if an event or a panel changed which panels there are or where they lie."""
        arrangement = panels.arrangement(self._viewer, self._ui)
        if arrangement != self._arranged:
            self._arranged = arrangement
            self._wait_for_panels()

    def _wait_for_panels(self) -> None:
        self._layouts_due = _LAYOUTS

    def key(self, key: int, scancode: int, action: int, modifiers: int) -> None:
        """Handle a key that was pressed, released or repeated; all arguments are glfw's codes."""
        name, held = key_name(key, scancode), self._held()
        self._queue(_Kind.KEY, lambda: self._key(key, name, action, modifiers, held))

    def _key(self, key: int, name: str | None, action: int, modifiers: int, held: frozenset[str]) -> None:
        self._forward_key(key, action, modifiers)
        self._unbound = False
        typed = name is not None and self._typing and is_for_text(name, modifiers)
        closes_list = name == "escape" and self._ui.menu_open
        if name is None or typed or closes_list or self._ui.dialog_open:
            self._space_waits = False
            if action != glfw.RELEASE and (closes_list or self._ui.dialog_open or (typed and name in _END_TYPING)):
                self._wait_for_panels()
            self._text_due |= typed
        elif name == _SPACE:
            self._space(action, held)
        elif action != glfw.RELEASE:
            chorded = frozenset(word for word, (bit, _) in HELD.items() if modifiers & bit)
            self._unbound = not self._press(chord(name, chorded), action == glfw.REPEAT)
            if self._unbound and name == "escape":
                self._close_page()

    def letter(self, letter: str) -> None:
        """Handle a typed character. Punctuation bound to an action works wherever the keyboard layout has it."""
        self._queue(_Kind.KEY, lambda: self._letter(letter))

    def _letter(self, letter: str) -> None:
        if self._typing:  # else an input that a later click opens would get it
            imgui.get_io().add_input_character(ord(letter))
            self._text_due = True
        if self._unbound and not letter.isalnum() and not self._typing:
            self._press(chord(letter), repeats=False)
        self._unbound = False

    def move(self, x: float, y: float) -> None:
        """Handle a move of the pointer to pixel (x, y)."""
        held = self._held()
        self._queue(_Kind.OTHER, lambda: self._move(x, y, held))

    def _move(self, x: float, y: float, held: frozenset[str]) -> None:
        imgui.get_io().add_mouse_pos_event(x, y)
        self._ui.pointer = self._at = x, y
        self._viewer.pointer.move(x, y, held)

    def enter(self) -> None:
        """Handle the pointer entering the window. No move event follows if it enters where it was when it left."""
        self._queue(_Kind.OTHER, self._enter)

    def _enter(self) -> None:
        self._ui.pointer = self._at

    def leave(self) -> None:
        """Handle the pointer leaving the window."""
        self._queue(_Kind.OTHER, self._leave)

    def _leave(self) -> None:
        if not self._dragging:
            self._ui.pointer = None

    def button(self, button: int, down: bool) -> None:
        """Handle a button at the position of the last move event; the pointer may have moved on since."""
        if button in _BUTTONS:
            held, now = self._held(), time.monotonic()
            self._queue(_Kind.OTHER, lambda: self._button(button, down, held, now))

    def _button(self, button: int, down: bool, held: frozenset[str], now: float) -> None:
        at, pointer = self._ui.pointer, self._viewer.pointer
        if at is None:
            return
        if down:
            self._note_press(_Press(button, at, now))
        if down and not self._ui.covers(*at):
            self._dragging.add(button)
            self._space_waits = False
            imgui.set_window_focus(None)
            pointer.press(_BUTTONS[button], *at, held)
        elif not down and button in self._dragging:
            self._dragging.discard(button)
            pointer.release(_BUTTONS[button], *at, held)
        else:
            imgui.get_io().add_mouse_button_event(button, down)
            self._wait_for_panels()

    def _note_press(self, press: _Press) -> None:
        """Find out if a press is the second of a double click. imgui would ask how long its layouts have taken."""
        self._ui.double_click = self._pressed is not None and press.follows(self._pressed)
        self._pressed = None if self._ui.double_click else press

    def wheel(self, x: float, y: float) -> None:
        """Handle the wheel; a touch pad reports fractions of a notch, which add up."""
        held = self._held()
        self._queue(_Kind.OTHER, lambda: self._wheel(x, y, held))

    def _wheel(self, x: float, y: float, held: frozenset[str]) -> None:
        at = self._ui.pointer
        if at is None or self._ui.covers(*at):
            imgui.get_io().add_mouse_wheel_event(x, y)
            return
        self._scrolled += y
        steps = int(self._scrolled)
        self._scrolled -= steps
        if steps:
            self._viewer.pointer.wheel(steps, *at, held)

    def resize(self, width: int, height: int) -> None:
        """Handle a new size of the framebuffer, in pixels; a minimised window may have none."""
        if width and height:
            self._queue(_Kind.RESIZE, lambda: self._viewer.camera.resize((width, height)))

    def focus(self, gained: bool) -> None:
        """Handle gained or lost keyboard focus; imgui then releases all keys."""
        self._queue(_Kind.OTHER, lambda: self._focus(gained))

    def _focus(self, gained: bool) -> None:
        imgui.get_io().add_focus_event(gained)
        self._space_waits = False

    def drop(self, paths: list[str]) -> None:
        """Open the first of the files dropped on the window."""
        if paths:
            self._queue(_Kind.OTHER, lambda: self._attempt("request_open", path=paths[0]))

    def close(self) -> None:
        """Handle a request to close the window. A second close request skips the confirmation."""
        self._queue(_Kind.OTHER, self._close)

    def _close(self) -> None:
        if self._viewer.closing:
            self._ui.close_confirmed = True
        self._attempt("close")

    def _attempt(self, action: str, **arguments: object) -> None:
        self._viewer.attempt(lambda: self._viewer.do(action, **arguments))

    @property
    def _typing(self) -> bool:
        return imgui.get_io().want_text_input or self._ui.dialog_open

    def _press(self, pressed: str, repeats: bool) -> bool:
        """Run a chord's action, unless a repeated key must not repeat it. Returns whether the chord is bound."""
        name = self._viewer.bindings.get(pressed, ("", {}))[0]
        return bool(name) if repeats and name in _NOT_REPEATED else self._viewer.press(pressed)

    def _close_page(self) -> None:
        """Close the open page, as Escape does unless it is bound."""
        for page in (*PAGES, "welcome"):
            if self._viewer.panels[page]:
                self._viewer.do("panel", name=page)
                return

    def _space(self, action: int, held: frozenset[str]) -> None:
        """Run the space bar's action on release, unless the bar was held to drag the world."""
        if action == glfw.PRESS:
            self._space_waits = True
        elif action == glfw.RELEASE and self._space_waits:
            self._space_waits = False
            self._viewer.press(chord(_SPACE, held - {_SPACE}))

    def _held(self) -> frozenset[str]:
        return held_keys(self._window) if self._held_then is None else self._held_then

    def _forward_key(self, key: int, action: int, modifiers: int) -> None:
        io = imgui.get_io()
        for word, (bit, _) in HELD.items():
            io.add_key_event(_MODIFIER_KEYS[word], bool(modifiers & bit))
        known = imgui_key(key)
        if known is not None and action != glfw.REPEAT:
            io.add_key_event(known, action == glfw.PRESS)


def held_keys(window: GlfwWindow) -> frozenset[str]:
    """The names of the modifiers that are held now, and ``space`` if the space bar is."""
    held = {word for word, (_, keys) in HELD.items() if window.is_down(*keys)}
    return frozenset(held | ({_SPACE} if window.is_down(glfw.KEY_SPACE) else set()))


_NOT_REPEATED = frozenset(
    {
        "pause",
        "reset",
        "panel",
        "full_screen",
        "record",
        "screenshot",
        "save",
        "save_scene",
        "ask_new",
        "ask_resize",
        "ask_save",
        "ask_folder",
        "clear",
        "close",
        "mix",
        "over_walls",
    }
)
"""Actions that a held key does not repeat."""
