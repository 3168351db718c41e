"""The help page: all pointer gestures, the keys of dialogs, and all key bindings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.actions import ACTIONS, GROUPS
from gpufluid.viewer.keys import settings_file
from gpufluid.viewer.panels import style, widgets
from gpufluid.viewer.texts import POINTER, rows_of_keys

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_DROPPED = ("a file dropped", "Open a scene, a saved world or a picture.")

_DIALOGS = (
    ("Escape", "Close the topmost menu, list, dialog or page."),
    ("Enter", "Press the blue button of a dialog; on the page Open, open the picked entry."),
    ("Tab", "In a dialog, go to the next input, list or button; Enter opens a list and presses a button."),
    ("arrow keys", "On the page Open, pick another entry; in the dialog for the folder, enter or leave one."),
    ("double click", "Open a scene or a file of a list, or enter a folder."),
)


def draw(viewer: Viewer, ui: UiState) -> None:  # noqa: ARG001
    """Draw the page."""
    widgets.wrapped("A tick is the smallest step of time. The slider in the time bar says how many run in a second.")
    _section("Pointer", [*POINTER, _DROPPED])
    _section("Dialogs and lists", list(_DIALOGS))
    for group in GROUPS:
        pairs = [pair for action in ACTIONS.values() if action.group == group for pair in rows_of_keys(viewer, action)]
        if pairs:
            _section(group, pairs)
    widgets.wrapped(f'Your own keys: a line such as  undo = "ctrl+z"  in {settings_file()}', style.FAINT)


def _section(title: str, pairs: list[tuple[str, str]]) -> None:
    imgui.separator_text(title)
    widgets.rows(title, pairs)
