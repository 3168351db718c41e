"""The dialog that asks before unsaved changes are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.panels import widgets

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_TITLE = "Close?"


def draw(viewer: Viewer, ui: UiState) -> None:
    """Draw the dialog if the viewer is closing with unsaved changes; sets `UiState.close_confirmed`."""
    if not (viewer.closing and viewer.unsaved):
        ui.close_dialog_open = False
        return
    if not ui.close_dialog_open:
        ui.close_dialog_open = True
        imgui.open_popup(_TITLE)
    screen = imgui.get_io().display_size
    imgui.set_next_window_pos((screen.x / 2, screen.y / 2), pivot=(0.5, 0.5))
    width = min(widgets.em(26), screen.x)
    imgui.set_next_window_size_constraints((width, 0), (width, screen.y))
    flags = imgui.WindowFlags_
    if imgui.begin_popup_modal(_TITLE, None, int(flags.always_auto_resize | flags.no_move | flags.no_saved_settings))[
        0
    ]:
        widgets.wrapped("The world has been changed since it was last saved.")
        if widgets.button("Save and close", first=True):
            widgets.act(viewer, "save")
            ui.close_confirmed = not viewer.unsaved
        if widgets.button("Close without saving"):
            ui.close_confirmed = True
        if widgets.button("Stay") or imgui.is_key_pressed(imgui.Key.escape):
            widgets.act(viewer, "stay")
            imgui.close_current_popup()
        ui.cover()
        imgui.end_popup()
