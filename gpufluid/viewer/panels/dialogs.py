"""The dialogs: each asks the user something, above all panels, while time is paused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.panels import folder_dialog, modal, save_dialog, unsaved_dialog, widgets, world_dialogs

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer


@dataclass(frozen=True, slots=True)
class Dialog:
    """A dialog.

    Args:
        title: returns its title.
        width: in line heights.
        draw: draws what is in it.
        cancel: the action that Escape runs.
        begin: called before it is first drawn; it sets what the dialog begins with.
        has_fields: whether Tab and the arrow keys move between its inputs, lists and buttons. If not, the dialog uses
            the arrow keys itself.
    """

    title: Callable[[Viewer], str]
    width: float
    draw: Callable[[Viewer, UiState], None]
    cancel: str = "close_dialog"
    begin: Callable[[Viewer, UiState], None] = lambda viewer, ui: None  # noqa: ARG005
    has_fields: bool = True


_DIALOGS = {
    "unsaved": Dialog(unsaved_dialog.title, 26, unsaved_dialog.draw, "stay"),
    "new": Dialog(lambda _: "New world", 24, world_dialogs.draw_new, begin=world_dialogs.begin_new),
    "resize": Dialog(lambda _: "Resize the world", 24, world_dialogs.draw_resize, begin=world_dialogs.begin_resize),
    "save": Dialog(lambda _: "Save as", 28, save_dialog.draw, begin=save_dialog.begin),
    "folder": Dialog(lambda _: "Folder for files", 34, folder_dialog.draw, begin=folder_dialog.begin, has_fields=False),
}
"""The dialogs by name; see `Viewer.question`."""


def draw(viewer: Viewer, ui: UiState) -> None:
    """Draw the dialog that is open, if any.

    Enter presses its default button, unless Tab has moved to another one or to a list. Escape closes the dialog.
    """
    name = viewer.question
    modal.use_navigation(name is not None and _DIALOGS[name].has_fields)
    opens, ui.dialog = name is not None and name != ui.dialog, name
    if name is None:
        ui.saving.waits = False  # something else has closed the dialog for the folder, such as another world
        return
    dialog = _DIALOGS[name]
    title = f"{dialog.title(viewer)}###{name}"
    if opens:
        dialog.begin(viewer, ui)
        imgui.open_popup(title)
    if modal.begin(title, dialog.width):
        ui.dialog_opens = opens
        dialog.draw(viewer, ui)
        if modal.is_pressed(ui, imgui.Key.escape):
            widgets.act(viewer, dialog.cancel)
        if name == "folder" and viewer.question is None and ui.saving.waits:
            widgets.act(viewer, "ask_save")  # which has asked for another folder
        if viewer.question != name:
            imgui.close_current_popup()
        ui.cover()
        imgui.end_popup()
    ui.popups = modal.open_popups()


def close_list(ui: UiState) -> None:
    """Close the topmost menu or list if Escape is pressed; a dialog closes itself. Call it after all panels."""
    below = 1 if ui.dialog is not None else 0
    if modal.open_popups() > below and imgui.is_key_pressed(imgui.Key.escape, repeat=False):
        imgui.internal.close_popup_to_level(modal.open_popups() - 1, True)
