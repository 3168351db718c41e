"""The dialog that asks before unsaved changes are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.panels import widgets

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer


def draw(viewer: Viewer, ui: UiState) -> None:
    """Draw the dialog if the window is closing, or another world is to be opened or made, with unsaved changes.

    Sets `UiState.close_confirmed`.
    """
    wanted = "Close" if viewer.closing else "Open" if viewer.opening is not None else "Make a new world"
    if not viewer.unsaved or not (viewer.closing or viewer.opening is not None or viewer.creating is not None):
        ui.unsaved_dialog_open = False
        return
    title = f"{wanted}?###unsaved"
    if not ui.unsaved_dialog_open:
        ui.unsaved_dialog_open = True
        imgui.open_popup(title)
    if widgets.begin_modal(title, 26):
        widgets.wrapped("The world has been changed since it was last saved.")
        if not viewer.closing:
            widgets.wrapped(f"{viewer.opening or 'The new world'} will replace it.")
        save = widgets.button(f"Save and {wanted.lower()}", first=True)
        if save:
            widgets.act(viewer, "save")
        if (widgets.button(f"{wanted} without saving") or save) and not (save and viewer.unsaved):
            _go_on(viewer, ui)
        if widgets.button("Stay") or imgui.is_key_pressed(imgui.Key.escape):
            widgets.act(viewer, "stay")
            imgui.close_current_popup()
        ui.cover()
        imgui.end_popup()


def _go_on(viewer: Viewer, ui: UiState) -> None:
    """Do what the user has confirmed."""
    if viewer.closing:
        ui.close_confirmed = True
    else:
        if viewer.opening is not None:
            widgets.act(viewer, "open", path=viewer.opening)
        elif viewer.creating is not None:
            widgets.act(viewer, "new", **viewer.creating)
        imgui.close_current_popup()
