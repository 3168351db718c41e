"""Translation of glfw key codes to the key names of chords and to imgui keys."""

from __future__ import annotations

import glfw
from imgui_bundle import imgui

_EDITING = (
    "tab",
    "left",
    "right",
    "up",
    "down",
    "home",
    "end",
    "insert",
    "delete",
    "backspace",
    "space",
    "enter",
    "escape",
)
_NAMED = {getattr(glfw, f"KEY_{name.upper()}"): name for name in _EDITING}
_NAMED |= {glfw.KEY_PAGE_UP: "pageup", glfw.KEY_PAGE_DOWN: "pagedown", glfw.KEY_KP_ENTER: "enter"}
_NAMED |= {getattr(glfw, f"KEY_F{number}"): f"f{number}" for number in range(1, 26)}

_IMGUI = {
    getattr(glfw, f"KEY_{name.upper()}"): getattr(imgui.Key, f"{name}_arrow" if name in _EDITING[1:5] else name)
    for name in _EDITING
}
_IMGUI |= {getattr(glfw, f"KEY_{letter.upper()}"): getattr(imgui.Key, letter) for letter in "acvxyz"}
_IMGUI |= {glfw.KEY_PAGE_UP: imgui.Key.page_up, glfw.KEY_PAGE_DOWN: imgui.Key.page_down}
_IMGUI |= {glfw.KEY_KP_ENTER: imgui.Key.enter}

_EDITS = frozenset({"a", "c", "v", "x", "y", "z", "left", "right", "home", "end", "backspace", "delete"})
"""Keys that edit text while Ctrl is held."""

HELD = {
    "ctrl": (glfw.MOD_CONTROL, (glfw.KEY_LEFT_CONTROL, glfw.KEY_RIGHT_CONTROL)),
    "alt": (glfw.MOD_ALT, (glfw.KEY_LEFT_ALT, glfw.KEY_RIGHT_ALT)),
    "shift": (glfw.MOD_SHIFT, (glfw.KEY_LEFT_SHIFT, glfw.KEY_RIGHT_SHIFT)),
}
"""By modifier name: glfw's modifier bit, and the codes of its keys."""


def key_name(key: int, scancode: int) -> str | None:
    """Name of a key in a chord, by the user's keyboard layout; None for a key without a name, such as Shift."""
    if any(key in keys for _, keys in HELD.values()):
        return None
    return _NAMED.get(key) or glfw.get_key_name(key, scancode) or None


def is_for_text(name: str, modifiers: int) -> bool:
    """True if a text input uses a key: letters and editing keys, but not F1 or Ctrl+S. `modifiers`: glfw's bits."""
    if modifiers & glfw.MOD_CONTROL and not modifiers & glfw.MOD_ALT:
        return name in _EDITS
    return not (name[:1] == "f" and name[1:].isdigit())


def imgui_key(key: int) -> imgui.Key | None:
    """The imgui key of a glfw code, for the keys that edit text; None for other keys."""
    return _IMGUI.get(key)
