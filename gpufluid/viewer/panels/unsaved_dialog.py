"""The dialog that asks before unsaved changes are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.panels import widgets

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer


def draw(viewer: Viewer, ui: UiState) -> None:
    """Draw the dialog if the window is closing, or another world is to be opened, with unsaved changes.

    Sets `UiState.close_confirmed`.
    """
    wanted = "Close" if viewer.closing else "Open"
    if not viewer.unsaved or not (viewer.closing or viewer.opening is not None):
        ui.unsaved_dialog_open = False
        return
    title = f"{wanted}?###unsaved"
    if not ui.unsaved_dialog_open:
        ui.unsaved_dialog_open = True
        imgui.open_popup(title)
    screen = imgui.get_io().display_size
    imgui.set_next_window_pos((screen.x / 2, screen.y / 2), pivot=(0.5, 0.5))
    width = min(widgets.em(26), screen.x)
    imgui.set_next_window_size_constraints((width, 0), (width, screen.y))
    flags = imgui.WindowFlags_
    plain = int(flags.always_auto_resize | flags.no_move | flags.no_saved_settings)
    if imgui.begin_popup_modal(title, None, plain)[0]:
        widgets.wrapped("The world has been changed since it was last saved.")
        if viewer.opening is not None and not viewer.closing:
            widgets.wrapped(f"{viewer.opening} will replace it.")
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
        widgets.act(viewer, "open", path=viewer.opening)
        imgui.close_current_popup()
