"""The file browser: opens a scene, a snapshot or a picture, and chooses the folder in which files are kept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.core.errors import GpufluidError
from gpufluid.viewer.folders import Entry, list_folder
from gpufluid.viewer.panels import style, widgets

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_SECONDS = 1.0
"""Time after which a folder is listed again."""

_WORDS = {"folder": "folder", "scene": "scene", "snapshot": "saved world", "picture": "picture"}


def draw(viewer: Viewer, ui: UiState, open_file: Callable[[str], None]) -> None:
    """Draw the browser.

    Args:
        viewer: the viewer, which has the folder in which files are kept.
        ui: has the folder shown.
        open_file: called with the path of a chosen file.
    """
    kept = viewer.folder.absolute()
    if ui.browsed is None:
        go_to(viewer, ui, kept)
    elif ui.now - ui.listed_at > _SECONDS:
        go_to(viewer, ui, ui.browsed.folder)
    if ui.browsed is None:
        widgets.wrapped(f"{kept} cannot be shown.", style.FAINT)
        if widgets.button("Home", first=True):
            go_to(viewer, ui, Path.home())
        return
    here = ui.browsed.folder
    if widgets.button("Up", "Show the folder around this one.", first=True):
        go_to(viewer, ui, here.parent)
    if widgets.button("Home", "Show your home folder."):
        go_to(viewer, ui, Path.home())
    if here == kept.resolve():
        imgui.same_line()
        imgui.align_text_to_frame_padding()
        widgets.wrapped("Pictures, films and saved worlds go here.", style.FAINT)
    else:
        if widgets.button("Kept files", f"Show the folder in which files are kept: {kept}"):
            go_to(viewer, ui, kept)
        if widgets.button("Keep files here", "Put pictures, films and saved worlds into this folder from now on."):
            widgets.act(viewer, "keep_in", folder=here)
    widgets.wrapped(str(here))
    _entries(viewer, ui, open_file)


def go_to(viewer: Viewer, ui: UiState, folder: Path) -> None:
    """Show a folder; one that cannot be listed becomes a message, and the folder shown stays."""
    ui.listed_at = ui.now
    try:
        ui.browsed = list_folder(folder)
    except GpufluidError as error:
        viewer.tell(str(error), "error")


def _entries(viewer: Viewer, ui: UiState, open_file: Callable[[str], None]) -> None:
    """Draw a row for each entry: name, kind, size and time of the last change."""
    assert ui.browsed is not None
    chosen: Entry | None = None
    flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.sizing_stretch_prop
    if ui.browsed.entries and imgui.begin_table("files", 4, int(flags)):
        for entry in ui.browsed.entries:
            imgui.table_next_column()
            name = f"{entry.name}/" if entry.kind == "folder" else entry.name
            if imgui.selectable(name, False, int(imgui.SelectableFlags_.span_all_columns))[0]:
                chosen = entry
            for words in (_WORDS[entry.kind], *_facts(entry)):
                imgui.table_next_column()
                imgui.text_disabled(words)
        imgui.end_table()
    if not ui.browsed.entries:
        widgets.wrapped("No scene, saved world or picture (.toml, .npz, .png) is here.", style.FAINT)
    elif ui.browsed.others:
        others = ui.browsed.others
        words = "1 other file is not shown." if others == 1 else f"{others:,} other files are not shown."
        widgets.wrapped(words, style.FAINT)
    if chosen is not None and chosen.kind == "folder":
        go_to(viewer, ui, chosen.path)
    elif chosen is not None:
        open_file(str(chosen.path))


def _facts(entry: Entry) -> tuple[str, str]:
    """Size and time of the last change."""
    if entry.kind == "folder":
        return "", ""
    size = f"{entry.size / 1e6:,.1f} MB" if entry.size >= 1e6 else f"{max(entry.size / 1e3, 0.1):,.1f} KB"
    return size, datetime.fromtimestamp(entry.changed).strftime("%Y-%m-%d %H:%M")
