"""The page of what can be opened: a path, the scenes that come with gpufluid, and the files of a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.panels import files, style, widgets
from gpufluid.viewer.panels.gallery import Gallery

if TYPE_CHECKING:
    from gpufluid.viewer.panels.gallery import Card
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_CARD, _PICTURE = 11, 7
"""The width of a card and the height of its picture, in line heights."""


def draw(viewer: Viewer, ui: UiState) -> None:
    """Draw the page."""
    _file(viewer, ui)
    if widgets.button("Scenes", "The scenes that come with gpufluid.", not ui.browsing, first=True):
        ui.browsing = False
    if widgets.button("Your files", "Scenes, saved worlds and pictures in your folders.", ui.browsing):
        ui.browsing = True
    imgui.separator()
    if ui.browsing:
        files.draw(viewer, ui, lambda path: _open(viewer, path))
    else:
        _scenes(viewer, ui)


def _scenes(viewer: Viewer, ui: UiState) -> None:
    """Draw a card for each scene that comes with gpufluid."""
    if ui.gallery is None:
        ui.gallery = Gallery(ui.device, ui.renderer)
    columns = max(1, int(imgui.get_content_region_avail().x / widgets.em(_CARD)))
    if imgui.begin_table("scenes", columns, int(imgui.TableFlags_.sizing_stretch_same)):
        wanted = None
        for card in ui.gallery.cards:
            imgui.table_next_column()
            if _card(viewer, card) and wanted is None:
                wanted = card
        imgui.end_table()
        if wanted is not None:
            ui.gallery.work_on(wanted)


def _file(viewer: Viewer, ui: UiState) -> None:
    imgui.set_next_item_width(max(widgets.em(6), imgui.get_content_region_avail().x - widgets.em(5)))
    enter = int(imgui.InputTextFlags_.enter_returns_true)
    pressed, ui.path = imgui.input_text_with_hint(
        "##path", "Name of a scene, or path of a .toml, .npz or .png file", ui.path, enter
    )
    if (widgets.button("Open") or pressed) and ui.path.strip():
        _open(viewer, ui.path.strip())


def _open(viewer: Viewer, path: str) -> None:
    """Open a file, and close the page unless the file cannot be opened."""
    if widgets.act(viewer, "request_open", path=path) and viewer.panels["scenes"]:
        widgets.act(viewer, "panel", name="scenes")


def _card(viewer: Viewer, card: Card) -> bool:
    """Draw a card. Returns whether the card is visible and its picture is still to be drawn."""
    imgui.push_id(card.name)
    size = imgui.ImVec2(imgui.get_content_region_avail().x, widgets.em(_PICTURE))
    at = imgui.get_cursor_screen_pos()
    pressed = imgui.invisible_button("open", size)
    seen, hovered = imgui.is_item_visible(), imgui.is_item_hovered()
    draw_list = imgui.get_window_draw_list()
    ground = imgui.Col_.button_hovered if hovered else imgui.Col_.frame_bg
    draw_list.add_rect_filled(at, (at.x + size.x, at.y + size.y), imgui.get_color_u32(int(ground)))
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
    if pressed:
        _open(viewer, card.path)
    imgui.pop_id()
    return seen and card.picture is None and not card.problem
