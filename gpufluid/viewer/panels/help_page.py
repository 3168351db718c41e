"""The help page: all pointer gestures, the keys of dialogs, and all key bindings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.actions import ACTIONS, GROUPS, Action
from gpufluid.viewer.keys import settings_file
from gpufluid.viewer.panels import style, widgets

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_POINTER = (
    ("left button", "Pour the chosen material, or do what the chosen tool does."),
    ("right button", "Erase; while you warm, cool; while you cool, warm."),
    ("Shift, left button", "Draw a straight line from the end of the last stroke."),
    ("Alt, left drag", "Aim by an arrow: what you pour flies this way."),
    ("middle drag", "Move the view."),
    ("Space, left drag", "Move the view."),
    ("wheel", "Look closer, or from further away."),
    ("Ctrl, wheel", "Make the brush larger or smaller."),
    ("a file dropped", "Open a scene, a saved world or a picture."),
)

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
    _section("Pointer", list(_POINTER))
    _section("Dialogs and lists", list(_DIALOGS))
    for group in GROUPS:
        pairs = [pair for action in ACTIONS.values() if action.group == group for pair in _keys(viewer, action)]
        if pairs:
            _section(group, pairs)
    widgets.wrapped(f'Your own keys: a line such as  undo = "ctrl+z"  in {settings_file()}', style.FAINT)


def _keys(viewer: Viewer, action: Action) -> list[tuple[str, str]]:
    """(keys, sentence) for an action: a row for the keys without arguments, and a row for each key with arguments.

    A favourite's row has its name. The keys that set favourites share a row.
    """
    plain = widgets.keys_of(viewer, action.name, {})
    found = [(plain, action.sentence({}))] if plain else []
    if action.name == "set_favourite":
        keys = widgets.keys_of(viewer, action.name)
        return [(keys, action.about)] if keys else []
    for chord, (name, given) in viewer.bindings.items():
        if name == action.name == "favourite":
            found.append((widgets.readable_chord(chord), f"Choose {viewer.favourites[int(str(given['place']))]}."))
        elif name == action.name and given:
            found.append((widgets.readable_chord(chord), action.sentence(given)))
    return found


def _section(title: str, pairs: list[tuple[str, str]]) -> None:
    imgui.separator_text(title)
    widgets.rows(title, pairs)
