"""Every key there is, from the one table that binds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.actions import ACTIONS, GROUPS, Action
from gpufluid.viewer.keys import settings_file
from gpufluid.viewer.panels import style, widgets

if TYPE_CHECKING:
    from gpufluid.viewer.panels.desk import Desk
    from gpufluid.viewer.viewer import Viewer

_POINTER = (
    ("left drag", "Use the tool: by default, paint."),
    ("right drag", "Erase; with the heat brush, cool instead of warm, or the other way."),
    ("Shift, left button", "A straight line from where the last stroke ended."),
    ("Alt, left drag", "The velocity of what is painted: an arrow."),
    ("middle drag", "Move the world."),
    ("Space, left drag", "Move the world."),
    ("wheel", "Nearer or farther, about the pointer."),
    ("Ctrl, wheel", "A larger or smaller brush."),
    ("files dropped", "Open a scene or a snapshot."),
)


def draw(viewer: Viewer, desk: Desk) -> None:  # noqa: ARG001
    """Draw the page."""
    _section("Pointer", list(_POINTER))
    for group in GROUPS:
        pairs = [pair for action in ACTIONS.values() if action.group == group for pair in _keys(viewer, action)]
        if pairs:
            _section(group, pairs)
    widgets.wrapped(f'Your own keys: a line such as  undo = "ctrl+z"  in {settings_file()}', style.FAINT)


def _keys(viewer: Viewer, action: Action) -> list[tuple[str, str]]:
    """What is bound to an action: one line, and one for each key that says more than the action's name."""
    plain = widgets.keys_of(viewer, action.name, {})
    found = [(plain, action.about)] if plain else []
    for chord, (name, given) in viewer.bindings.items():
        if name == action.name and given:
            words = ", ".join(f"{key} {value}" for key, value in given.items())
            found.append((widgets.readable_chord(chord), f"{action.about.rstrip('.')}: {words}."))
    return found


def _section(title: str, pairs: list[tuple[str, str]]) -> None:
    imgui.separator_text(title)
    widgets.rows(title, pairs)
