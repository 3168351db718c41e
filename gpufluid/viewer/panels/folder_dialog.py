"""The dialog that chooses the folder in which files are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.panels import files, modal, picking, style, widgets

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_NAME_MOST = 30
"""Most letters of the folder's name on the button."""

_HEIGHT = 14
"""Height of the list of folders, in line heights."""


def begin(viewer: Viewer, ui: UiState) -> None:
    """Begin with the folder in which files are kept."""
    ui.chooser.begin_at(viewer.folder)


def draw(viewer: Viewer, ui: UiState) -> None:
    """Draw what is in the dialog."""
    chooser = ui.chooser
    widgets.wrapped("Pictures, films and saved worlds go to the folder that you choose, also in later sessions.")
    files.draw_folder(viewer, chooser)
    folders = [entry for entry in chooser.entries if entry.kind == "folder"]
    height = min(widgets.em(_HEIGHT), imgui.get_io().display_size.y * 0.35)
    if imgui.begin_child("folders", (0, height), int(imgui.ChildFlags_.borders)):
        chooser.picked, by_key = picking.moved(chooser.picked, len(folders))
        files.draw_entries(viewer, ui, chooser, folders, by_key)
        if not folders:
            widgets.wrapped("There is no folder in it.", style.FAINT)
    imgui.end_child()
    if modal.is_pressed(ui, imgui.Key.right_arrow) and folders:
        chooser.show(viewer, folders[chooser.picked].path)
    elif modal.is_pressed(ui, imgui.Key.left_arrow):
        chooser.show_parent(viewer)
    widgets.wrapped("A double click or the right arrow key enters a folder, the left one leaves it.", style.FAINT)
    imgui.separator()
    here = chooser.folder
    name = "this folder" if here is None else (here.name or str(here))[:_NAME_MOST]
    if modal.confirmed(ui, f"Keep files in {name}", here is not None):
        if widgets.act(viewer, "keep_in", folder=here):
            widgets.act(viewer, "close_dialog")
    elif widgets.button("Cancel"):
        widgets.act(viewer, "close_dialog")
