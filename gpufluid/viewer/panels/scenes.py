"""The page Open: a text input, and the scenes that come with gpufluid or the files of a folder.

The input has the keys as long as no other input has them. The list shows what has the typed text in its name, in the
order of `search`. The arrow keys move the picked entry; Enter opens it, and so does a double click.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer import search
from gpufluid.viewer.folders import KINDS
from gpufluid.viewer.panels import files, modal, picking, style, widgets
from gpufluid.viewer.panels.gallery import Gallery

if TYPE_CHECKING:
    from gpufluid.viewer.panels.gallery import Card
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_CARD, _PICTURE = 11, 7
"""The width of a card and the height of its picture, in line heights."""


def draw(viewer: Viewer, ui: UiState) -> None:
    """Draw the page."""
    if ui.page_opens:
        ui.path, ui.picked, ui.browser.picked = "", 0, 0
    enters = _input(viewer, ui)
    if widgets.button("Scenes", "The scenes that come with gpufluid.", not ui.browsing, first=True):
        ui.browsing = False
    if widgets.button("Your files", "Scenes, saved worlds and pictures in your folders.", ui.browsing):
        ui.browsing = True
    imgui.separator()
    if ui.browsing:
        files.draw_folder(viewer, ui.browser)
    if imgui.begin_child("list"):
        if ui.page_opens:
            imgui.set_scroll_y(0)
        if ui.browsing:
            _files(viewer, ui, enters)
        else:
            _scenes(viewer, ui, enters)
    imgui.end_child()


def _input(viewer: Viewer, ui: UiState) -> bool:
    """Draw the text input and the button Open. Returns whether Enter or the button was pressed."""
    imgui.set_next_item_width(max(widgets.em(6), imgui.get_content_region_avail().x - widgets.em(5)))
    on_page = imgui.is_window_focused(int(imgui.FocusedFlags_.root_and_child_windows))
    is_free = on_page and not imgui.is_any_item_active() and not ui.focus_due and modal.open_popups() == 0
    if ui.page_opens or is_free:
        ui.focus_next()
    before, enter = ui.path, int(imgui.InputTextFlags_.enter_returns_true)
    hint = "Part of a name, or the path of a .toml or .npz file or a picture"
    entered, ui.path = imgui.input_text_with_hint("##path", hint, ui.path, enter)
    if imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.escape, repeat=False):
        widgets.act(viewer, "panel", name="scenes")
    ui.path_changes = ui.path != before
    if ui.path_changes:
        ui.browser.picked = 0
    return widgets.button("Open", "Open the picked entry, as Enter and a double click do.", chosen=True) or entered


def _scenes(viewer: Viewer, ui: UiState, enters: bool) -> None:
    """Draw a card for each scene that has the typed text in its name or title; ``enters``: open the picked one."""
    if ui.gallery is None:
        ui.gallery = Gallery(ui.device, ui.renderer)
    cards = search.found(ui.path, ui.gallery.cards, lambda card: (card.name, card.title))
    if ui.path_changes:
        ui.picked = 0
    width = imgui.get_content_region_avail().x - widgets.em(0.5)  # a gap before the scroll bar
    columns = max(1, int(width / widgets.em(_CARD)))
    ui.picked, by_key = picking.moved(ui.picked, len(cards), columns, sideways=not ui.path)
    if enters:
        _open_named(viewer, ui, cards[ui.picked].path if cards else None)
    elif not cards:
        _say_nothing_found(ui)
    wanted = None
    if cards and imgui.begin_table("scenes", columns, int(imgui.TableFlags_.sizing_stretch_same), (width, 0)):
        for number, card in enumerate(cards):
            imgui.table_next_column()
            picked = number == ui.picked
            pressed, unseen = _card(card, picked, scrolls=picked and by_key)
            if unseen and wanted is None:
                wanted = card
            if pressed:
                ui.picked = number
                if ui.double_click:
                    _open(viewer, ui, card.path)
        imgui.end_table()
    if wanted is not None:
        ui.gallery.work_on(wanted)


def _files(viewer: Viewer, ui: UiState, enters: bool) -> None:
    """Draw the entries of the folder that have the typed text in their names; ``enters``: open the picked one."""
    browser = ui.browser
    entries = search.found(ui.path, browser.entries, lambda entry: (entry.name, entry.path.stem))
    browser.picked, by_key = picking.moved(browser.picked, len(entries))
    if enters:
        picked = entries[browser.picked] if entries else None
        if picked is not None and picked.kind == "folder" and not _is_path(ui.path):
            browser.show(viewer, picked.path)
            ui.path = ""
        else:
            _open_named(viewer, ui, None if picked is None else str(picked.path))
        return
    opened = files.draw_entries(viewer, ui, browser, entries, by_key)
    if browser.entries and not entries:
        _say_nothing_found(ui)
    elif not browser.entries:
        widgets.wrapped("No scene (.toml), saved world (.npz) or picture is here.", style.FAINT)
    else:
        files.draw_others(browser)
    if opened is not None:
        _open(viewer, ui, str(opened.path))


def _say_nothing_found(ui: UiState) -> None:
    widgets.wrapped(f"Nothing here has {ui.path.strip()!r} in its name. Enter opens it as a path.", style.FAINT)


def _is_path(text: str) -> bool:
    """True if a typed text is the path of a file that can be opened, or of a folder, and not a part of a name."""
    words = text.strip()
    try:
        path = Path(words).expanduser()
        is_folder = (words.startswith("~") or path.name != words) and path.is_dir()
        return is_folder or (path.suffix.lower() in KINDS and path.exists())
    except (OSError, ValueError, RuntimeError):  # such as a zero byte, or ~ of an unknown user
        return False


def _open_named(viewer: Viewer, ui: UiState, picked: str | None) -> None:
    """Open what the typed text is the path of, else the picked entry, else what the text may be the name of."""
    if _is_path(ui.path):
        path = Path(ui.path.strip()).expanduser()
        if path.is_dir():
            ui.browsing, ui.path = True, ""
            ui.browser.show(viewer, path)
        else:
            _open(viewer, ui, str(path))
    elif picked is not None:
        _open(viewer, ui, picked)
    elif ui.path.strip():
        _open(viewer, ui, ui.path.strip())


def _open(viewer: Viewer, ui: UiState, path: str) -> None:
    """Open a file after this frame, and close the page unless the file cannot be opened."""

    def open_it() -> None:
        if widgets.act(viewer, "request_open", path=path) and viewer.panels["scenes"]:
            widgets.act(viewer, "panel", name="scenes")

    ui.due.append(open_it)


def _card(card: Card, picked: bool, scrolls: bool) -> tuple[bool, bool]:
    """Draw a card.

    Args:
        card: the scene and its picture.
        picked: whether to highlight it.
        scrolls: whether to scroll to it.
    Returns: whether it was clicked, and whether it is visible and its picture is still to be drawn.
    """
    imgui.push_id(card.name)
    if scrolls:
        imgui.set_scroll_here_y()
    size = imgui.ImVec2(imgui.get_content_region_avail().x, widgets.em(_PICTURE))
    at = imgui.get_cursor_screen_pos()
    pressed = imgui.invisible_button("open", size)
    seen, hovered = imgui.is_item_visible(), imgui.is_item_hovered()
    draw_list, far = imgui.get_window_draw_list(), (at.x + size.x, at.y + size.y)
    ground = imgui.get_color_u32(int(imgui.Col_.button_hovered if hovered else imgui.Col_.frame_bg))
    draw_list.add_rect_filled(at, far, imgui.get_color_u32(style.chosen()) if picked else ground)
    if card.picture is not None:
        edge = widgets.em(0.25)
        scale = min((size.x - 2 * edge) / card.size[0], (size.y - 2 * edge) / card.size[1])
        width, height = card.size[0] * scale, card.size[1] * scale
        left, top = at.x + (size.x - width) / 2, at.y + (size.y - height) / 2
        draw_list.add_image(card.picture, (left, top), (left + width, top + height))
    else:
        words = card.problem or "drawing ..."
        draw_list.add_text(
            (at.x + widgets.em(0.5), at.y + widgets.em(0.5)), widgets.imgui_colour((170, 176, 186)), words
        )
    widgets.wrapped(card.title)
    widgets.wrapped(card.about, style.FAINT)
    imgui.dummy((0, widgets.em(0.4)))
    imgui.pop_id()
    return pressed, seen and card.picture is None and not card.problem
