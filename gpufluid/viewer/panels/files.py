"""The list of a folder: its folders, scenes, saved worlds and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.folders import Entry, in_words
from gpufluid.viewer.panels import style, widgets

if TYPE_CHECKING:
    from gpufluid.viewer.browser import Browser
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_WORDS = {"folder": "folder", "scene": "scene", "snapshot": "saved world", "picture": "picture"}


def draw_folder(viewer: Viewer, browser: Browser) -> None:
    """Draw the buttons that show other folders, and the name of the folder shown."""
    browser.refresh(viewer, viewer.folder)
    kept = viewer.folder.absolute()
    if widgets.button("Up", "Show the folder around this one.", first=True):
        browser.show_parent(viewer)
    if widgets.button("Home", "Show your home folder."):
        browser.show(viewer, Path.home())
    here = browser.folder
    if here == kept.resolve():
        imgui.same_line()
        imgui.align_text_to_frame_padding()
        widgets.wrapped("Pictures, films and saved worlds go here.", style.FAINT)
    elif widgets.button("Kept files", f"Show the folder in which files are kept: {kept}"):
        browser.show(viewer, kept)
    widgets.wrapped(f"{kept} cannot be shown." if here is None else str(here))


def draw_entries(
    viewer: Viewer, ui: UiState, browser: Browser, entries: Sequence[Entry], scrolls: bool = False
) -> Entry | None:
    """Draw a row for each entry: name, kind, size and time of the last change. A click picks it.

    Args:
        viewer: shows an error.
        ui: knows whether a click is the second of a double click.
        browser: a double click on a folder shows it here.
        entries: those to draw, of the folder that it shows.
        scrolls: whether to scroll to the picked one.
    Returns: the file on which a double click was made, if any.
    """
    opened = None
    if not entries or not imgui.begin_table("files", 4, _TABLE):
        return None
    for number, entry in enumerate(entries):
        imgui.table_next_column()
        picked = number == browser.picked
        if picked and scrolls:
            imgui.set_scroll_here_y()
        name = f"{entry.name}/" if entry.kind == "folder" else entry.name
        imgui.push_style_color(int(imgui.Col_.header), style.chosen())
        if imgui.selectable(name, picked, int(imgui.SelectableFlags_.span_all_columns))[0]:
            browser.picked = number
            opened = entry if ui.double_click else None
        imgui.pop_style_color()
        for words in (_WORDS[entry.kind], *in_words(entry)):
            imgui.table_next_column()
            imgui.text_disabled(words)
    imgui.end_table()
    if opened is not None and opened.kind == "folder":
        browser.show(viewer, opened.path)
        return None
    return opened


_TABLE = int(imgui.TableFlags_.row_bg | imgui.TableFlags_.sizing_stretch_prop)


def draw_others(browser: Browser) -> None:
    """Draw how many files of the folder are not listed."""
    others = 0 if browser.listing is None else browser.listing.others
    if others:
        words = "1 other file is not shown." if others == 1 else f"{others:,} other files are not shown."
        widgets.wrapped(words, style.FAINT)
