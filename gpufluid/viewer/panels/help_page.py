"""Every key there is, from the one table that binds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.actions import ACTIONS, GROUPS
from gpufluid.viewer.keys import settings_file
from gpufluid.viewer.panels import style, widgets

if TYPE_CHECKING:
    from gpufluid.viewer.panels.desk import Desk
    from gpufluid.viewer.viewer import Viewer

_POINTER = (
    ("left drag", "Use the tool: by default, paint."),
    ("right drag", "Erase."),
    ("Shift and left drag", "A straight line."),
    ("middle drag", "Move the world; also Space and left drag."),
    ("wheel", "Nearer or farther, about the pointer."),
    ("files dropped", "Open a scene or a snapshot."),
)


def draw(viewer: Viewer, desk: Desk) -> None:  # noqa: ARG001
    """Draw the page."""
    _section("Pointer", list(_POINTER))
    for group in GROUPS:
        pairs = [
            (widgets.keys_of(viewer, name), action.about) for name, action in ACTIONS.items() if action.group == group
        ]
        bound = [pair for pair in pairs if pair[0]]
        if bound:
            _section(group, bound)
    widgets.wrapped(f'Your own keys: a line such as  undo = "ctrl+z"  in {settings_file()}', style.FAINT)


def _section(title: str, pairs: list[tuple[str, str]]) -> None:
    imgui.separator_text(title)
    widgets.rows(title, pairs)
