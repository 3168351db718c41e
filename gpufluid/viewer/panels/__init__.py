"""The panels beside the world. They read a viewer, and change it only through its named actions.

The layout is computed for each frame, so that no panel covers another in a small window or with large text: the menu at
the top, the time bar at the bottom, the other panels in a column on each side, or in one column if two do not fit.
A column is as high as the space between menu and time bar, and scrolls if its panels are higher. A drag of the strip
beside a column changes its width.
A page, such as the help, takes the space between the columns, or replaces the columns if that space is too narrow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.area import Area
from gpufluid.viewer.panels import (
    dialogs,
    help_page,
    inspector,
    menu,
    messages,
    outlines,
    overlays,
    palette,
    picture,
    scenes,
    statistics,
    time_bar,
    tools,
    welcome,
)
from gpufluid.viewer.panels.ui_state import UiState
from gpufluid.viewer.panels.widgets import act, em, tooltip
from gpufluid.viewer.preferences import WIDTH_MOST

if TYPE_CHECKING:
    from gpufluid.viewer.viewer import Viewer

Panel = Callable[["Viewer", UiState], None]

_COLUMN, _NARROW, _BETWEEN, _PAGE = 17, 13, 14, 34
"""Widths in line heights: of a column; its least; the least between two columns; the least of a page."""

_GRIP = 0.4
"""Width in line heights of the strip beside a column, by which the column's width is changed."""
_TOOLTIP_DELAY, _NEVER = 0.15, 1e9
"""Seconds until a tooltip is shown."""
_STILL = 2.0
"""Pixels by which the pointer may move across in a click that is no drag."""

_LEFT: tuple[tuple[str, str, Panel], ...] = (
    ("palette", "Tool", tools.draw),
    ("palette", "Palette", palette.draw),
)
_RIGHT: tuple[tuple[str, str, Panel], ...] = (
    ("picture", "Picture", picture.draw),
    ("inspector", "Cell under the pointer", inspector.draw),
    ("overlays", "Overlays", overlays.draw),
    ("statistics", "Statistics", statistics.draw),
)
_LEGEND: tuple[str, str, Panel] = ("legend", "Legend", overlays.draw_legend)
"""Shown while an overlay is shown and the overlays panel is closed."""

_PAGES: tuple[tuple[str, str, Panel], ...] = (
    ("help", "Help", help_page.draw),
    ("scenes", "Open", scenes.draw),
)


def draw(viewer: Viewer, ui: UiState) -> None:
    """Lay out and draw the menu and all open panels."""
    ui.begin()
    viewer.pointed_at = None  # the palette sets it
    screen = imgui.get_io().display_size
    top = menu.draw(viewer, ui)
    bottom = time_bar.draw(viewer, ui) if viewer.panels.get("time") else screen.y
    room = Area(0, top, screen.x, bottom)
    page = next((page for page in _PAGES if viewer.panels.get(page[0])), None)
    page_opens, ui.page = page is not None and page[0] != ui.page, None if page is None else page[0]
    _hide_tooltips(ui, page_opens)
    between = _columns(viewer, ui, room, page is not None)
    between = messages.draw(viewer, ui, between, messages.place(viewer, ui, between, page is not None))
    if page is not None:
        _page(viewer, ui, between, page_opens, *page)
    else:
        outlines.draw(viewer, ui, between)  # which would lie over a page
        if viewer.panels.get("welcome"):
            welcome.draw(viewer, ui, between)
    dialogs.draw(viewer, ui)
    dialogs.close_list(ui)
    ui.menu_open = imgui.is_popup_open("", int(imgui.PopupFlags_.any_popup))


def arrangement(viewer: Viewer, ui: UiState) -> tuple[object, ...]:
    """The facts that decide which panels there are and where they lie. A new camera means that a world was opened."""
    opened = tuple(panel for panel, is_open in viewer.panels.items() if is_open)
    legend, size = viewer.overlay is not None, viewer.camera.window
    asked = viewer.closing, viewer.opening, viewer.creating is not None, viewer.dialog
    widths = tuple(ui.column_widths.values())
    return viewer.camera, size, opened, legend, viewer.text_scale, viewer.full_screen, asked, ui.menu_open, widths


def docked(viewer: Viewer, ui: UiState) -> tuple[object, ...]:
    """The facts that decide which part of the window the columns and bars leave free."""
    legend = viewer.overlay is not None
    beside = tuple(viewer.panels[part[0]] for part in (*_LEFT, *_RIGHT))
    widths = tuple(ui.column_widths.values())
    return viewer.camera.window, beside, viewer.panels["time"], legend, viewer.text_scale, widths


def _columns(viewer: Viewer, ui: UiState, room: Area, page_open: bool) -> Area:
    """Draw the columns. Returns the area that they leave free."""
    left = [part for part in _LEFT if viewer.panels[part[0]]]
    right = [part for part in _RIGHT if viewer.panels[part[0]]]
    if viewer.overlay is not None and not viewer.panels["overlays"]:
        right.insert(0, _LEGEND)
    usual = min(max(em(_NARROW), min(em(_COLUMN), room.width * 0.22)), room.width * 0.55)
    if left and right and room.width < 2 * (usual + em(_GRIP)) + em(_BETWEEN):
        left, right = sorted(left + right, key=lambda part: part is not _LEGEND), []
    least = min(em(_NARROW), usual)
    beside = (least + em(_GRIP)) * bool(right)
    width = _width(ui, "left", usual, least, room.width - beside) if left else 0
    other = _width(ui, "right", usual, least, room.width - width - em(_GRIP) * bool(left)) if right else 0
    taken, taken_right = width + em(_GRIP) * bool(left), other + em(_GRIP) * bool(right)
    free = Area(room.left + taken, room.top, room.right - taken_right, room.bottom)
    ui.free_area = free
    ui.columns = {name: titles for name, titles in ui.columns.items() if (left if name == "left" else right)}
    if page_open and free.width < em(_PAGE):
        ui.columns = {}
        return room
    if left:
        _column(viewer, ui, "left", Area(room.left, room.top, room.left + width, room.bottom), left)
        _grip(ui, "left", Area(room.left + width, room.top, free.left, room.bottom), room)
    if right:
        _column(viewer, ui, "right", Area(room.right - other, room.top, room.right, room.bottom), right)
        _grip(ui, "right", Area(free.right, room.top, room.right - other, room.bottom), room)
    return free


def _width(ui: UiState, side: str, usual: float, least: float, room: float) -> float:
    """The width of a column in pixels: the user's, or the usual one.

    Args:
        ui: has the user's widths.
        side: ``left`` or ``right``.
        usual, least: widths in pixels.
        room: the width in pixels of the column, its strip, and what lies between it and the other column.
    """
    wanted = em(ui.column_widths[side]) or usual
    return min(max(wanted, least), max(room - em(_GRIP + _BETWEEN), least))


def _grip(ui: UiState, side: str, area: Area, room: Area) -> None:
    """Draw the strip beside a column. A drag of it sets the column's width, a double click makes it the usual one."""
    imgui.set_next_window_pos((area.left, area.top))
    imgui.set_next_window_size((area.width, max(area.height, 1)))
    imgui.push_style_var(int(imgui.StyleVar_.window_padding), (0, 0))
    with ui.window(f"{side} edge"):
        imgui.pop_style_var()
        imgui.invisible_button("drag", (area.width, max(area.height, 1)))
        held, pointed = imgui.is_item_active(), imgui.is_item_hovered()
        moved = abs(imgui.get_mouse_drag_delta(imgui.MouseButton_.left, 0.0).x) > _STILL
        if (held or imgui.is_item_deactivated()) and moved:  # a fast drag ends in the frame in which it moves
            at = imgui.get_io().mouse_pos.x
            wide = at - area.width / 2 - room.left if side == "left" else room.right - at - area.width / 2
            ui.column_widths[side] = min(max(round(wide / em(), 1), _NARROW), WIDTH_MOST)
        if pointed and imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
            ui.column_widths[side] = 0.0
        if held or pointed:
            colour = imgui.get_color_u32(int(imgui.Col_.slider_grab))
            draw_list = imgui.get_window_draw_list()
            draw_list.add_rect_filled((area.left, area.top), (area.right, area.bottom), colour)
        if not held:
            tooltip("Drag to change the width of the column. A double click gives it its usual width.")


def _column(viewer: Viewer, ui: UiState, name: str, area: Area, parts: list[tuple[str, str, Panel]]) -> None:
    imgui.set_next_window_pos((area.left, area.top))
    imgui.set_next_window_size((area.width, max(area.height, 1)))
    titles = [title for _, title, _ in parts]
    before = ui.columns.get(name, titles)
    opened = next((title for title in titles if title not in before), None)
    ui.columns[name] = titles
    with ui.window(name):
        for panel, title, draw_part in parts:
            if title == opened:
                imgui.set_scroll_here_y(0.0)  # it may lie below the end of the window
            imgui.set_next_item_open(True, int(imgui.Cond_.once))
            unfolded, stays = imgui.collapsing_header(title, p_visible=True)
            if not stays:
                _close(viewer, panel)
            if unfolded:
                imgui.push_id(title)
                draw_part(viewer, ui)
                imgui.pop_id()


def _hide_tooltips(ui: UiState, page_opens: bool) -> None:
    """Show no tooltips after a page has opened, until the pointer moves: a tooltip in a column would lie over it."""
    if page_opens:
        ui.still_at = ui.pointer
    elif ui.page is None or ui.pointer != ui.still_at:
        ui.still_at = None
    imgui.get_style().hover_delay_short = _TOOLTIP_DELAY if ui.still_at is None else _NEVER


def _close(viewer: Viewer, panel: str) -> None:
    if panel == _LEGEND[0]:
        act(viewer, "no_overlay")
    else:
        act(viewer, "panel", name=panel)


def _page(viewer: Viewer, ui: UiState, room: Area, opens: bool, name: str, title: str, draw_page: Panel) -> None:
    """Draw a page; ``opens``: it was not drawn in the last frame, so it begins at its top."""
    imgui.set_next_window_pos((room.left, room.top))
    imgui.set_next_window_size((room.width, max(room.height, 1)))
    with ui.window(name):
        stays = imgui.collapsing_header(title, p_visible=True, flags=int(imgui.TreeNodeFlags_.leaf))[1]
        ui.page_opens = opens
        if imgui.begin_child("page"):
            if opens:
                imgui.set_scroll_y(0)
            draw_page(viewer, ui)
        imgui.end_child()
        if not stays:
            act(viewer, "panel", name=name)
