"""Widgets and text helpers shared by the panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.panels import style

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer


def em(count: float = 1) -> float:
    """`count` line heights, in pixels. All widths are given in this unit."""
    return imgui.get_font_size() * count


def button_width(label: str) -> float:
    """Width of a button with this label, in pixels."""
    return imgui.calc_text_size(label, hide_text_after_double_hash=True).x + 2 * imgui.get_style().frame_padding.x


def same_line_if_fits(width: float) -> None:
    """Place the next item on the current line if its width, in pixels, fits there; else on a new line."""
    edge = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
    if imgui.get_item_rect_max().x + imgui.get_style().item_spacing.x + width <= edge:
        imgui.same_line()


def button(label: str, tip: str = "", chosen: bool = False, first: bool = False, width: float = 0) -> bool:
    """Draw a button after the previous item, on the same line if it fits. Returns whether it was pressed.

    Args:
        label: the text on the button.
        tip: the tooltip.
        chosen: whether to highlight the button as the chosen one of a group.
        first: whether to begin a new line in any case.
        width: in pixels; 0: as wide as the label needs.
    """
    if not first:
        same_line_if_fits(width or button_width(label))
    if chosen:
        imgui.push_style_color(int(imgui.Col_.button), style.chosen())
    pressed = imgui.button(label, (width, 0))
    if chosen:
        imgui.pop_style_color()
    tooltip(tip)
    return pressed


def tooltip(tip: str) -> None:
    """Show a text while the pointer rests on the last item."""
    if tip and imgui.is_item_hovered(int(imgui.HoveredFlags_.for_tooltip)):
        imgui.begin_tooltip()
        imgui.push_text_wrap_pos(em(24))
        imgui.text_unformatted(tip)
        imgui.pop_text_wrap_pos()
        imgui.end_tooltip()


def wrapped(text: str, colour: tuple[float, float, float, float] = style.INK) -> None:
    """Draw text with line breaks at the panel's width; `colour`: red, green, blue, opacity, 0 to 1."""
    imgui.push_style_color(int(imgui.Col_.text), imgui.ImVec4(*colour))
    imgui.push_text_wrap_pos(0)
    imgui.text_unformatted(text)
    imgui.pop_text_wrap_pos()
    imgui.pop_style_color()


def imgui_colour(colour: tuple[int, int, int], opacity: int = 255) -> int:
    """Convert red, green, blue and opacity, each 0 to 255, to imgui's packed colour."""
    red, green, blue = colour
    return red | green << 8 | blue << 16 | opacity << 24


def swatch(colour: tuple[int, int, int] | None, side: float | None = None) -> None:
    """Draw a square of a colour with a frame; None: only the frame. ``side`` is in pixels, by default a line high."""
    side = imgui.get_text_line_height() if side is None else side
    at, draw_list = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    imgui.dummy((side, side))
    far = at.x + side, at.y + side
    if colour is not None:
        draw_list.add_rect_filled(at, far, imgui_colour(colour), imgui.get_style().frame_rounding)
    draw_list.add_rect(at, far, imgui_colour((255, 255, 255), 120), imgui.get_style().frame_rounding)


def chip(
    name: str,
    colour: tuple[int, int, int],
    chosen: bool,
    tip: str,
    key: str = "",
    faint: bool = False,
    first: bool = False,
) -> bool:
    """Draw a button with a colour swatch, a name and a key, placed like `button`. Returns whether it was pressed.

    Args:
        name, colour, key: what it shows.
        chosen, tip, first: as for `button`.
        faint: whether the name is grey and the swatch pale, for what can do nothing.
    """
    look = imgui.get_style()
    side, gap = imgui.get_text_line_height(), look.frame_padding.x
    words, after = imgui.calc_text_size(name), imgui.calc_text_size(key)
    size = imgui.ImVec2(
        min(side + words.x + 3 * gap + (after.x + gap if key else 0), _room()), side + 2 * look.frame_padding.y
    )
    if not first:
        same_line_if_fits(size.x)
    at = imgui.get_cursor_screen_pos()
    pressed = imgui.invisible_button(name, size)
    draw, corner = imgui.get_window_draw_list(), imgui.ImVec2(at.x + size.x, at.y + size.y)
    ground = imgui.Col_.button_hovered if imgui.is_item_hovered() else imgui.Col_.button
    draw.add_rect_filled(
        at,
        corner,
        imgui.get_color_u32(style.chosen()) if chosen else imgui.get_color_u32(int(ground)),
        look.frame_rounding,
    )
    left = imgui.ImVec2(at.x + gap, at.y + look.frame_padding.y)
    right = imgui.ImVec2(left.x + side, left.y + side)
    draw.add_rect_filled(left, right, imgui_colour(colour, 90 if faint else 255), look.frame_rounding)
    draw.add_rect(left, right, imgui_colour((255, 255, 255), 120), look.frame_rounding)
    draw.push_clip_rect(at, corner, True)
    ink, grey = (imgui.get_color_u32(int(part)) for part in (imgui.Col_.text, imgui.Col_.text_disabled))
    draw.add_text(imgui.ImVec2(right.x + gap, left.y), grey if faint else ink, name)
    draw.add_text(imgui.ImVec2(corner.x - gap - after.x, left.y), grey, key)
    draw.pop_clip_rect()
    tooltip(tip)
    return pressed


def recording_indicator(words: str) -> None:
    """Draw the recording indicator, a red dot and some words, at the right end of the line."""
    width = imgui.calc_text_size(words).x + em(1.4)
    imgui.set_cursor_pos_x(max(imgui.get_cursor_pos_x(), imgui.get_window_width() - width))
    at, side = imgui.get_cursor_screen_pos(), imgui.get_frame_height()
    centre = (at.x + em(0.5), at.y + side / 2)
    imgui.get_window_draw_list().add_circle_filled(
        centre, em(0.38), imgui.get_color_u32(imgui.ImVec4(*style.RECORDING))
    )
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + em(1))
    imgui.text_unformatted(words)


def act(viewer: Viewer, action: str, **arguments: object) -> bool:
    """Run an action of the viewer; an error becomes a message. Returns whether the action succeeded."""
    return viewer.attempt(lambda: viewer.do(action, **arguments))


def act_later(viewer: Viewer, ui: UiState, action: str, **arguments: object) -> None:
    """Close the open dialog; run an action that takes long once this is seen. An error becomes a message."""
    if viewer.dialog is not None:
        act(viewer, "close_dialog")
    ui.due.append(lambda: act(viewer, action, **arguments))


def legend_entry(words: str, colour: tuple[int, int, int], first: bool) -> None:
    """Draw an entry of a plot's legend: a colour swatch and a text, placed like `button`."""
    side = imgui.get_text_line_height()
    width = side + imgui.calc_text_size(words).x + em(0.4)
    if not first:
        same_line_if_fits(width)
    at = imgui.get_cursor_screen_pos()
    imgui.dummy((width, side))
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled((at.x, at.y + side * 0.2), (at.x + side * 0.7, at.y + side * 0.9), imgui_colour(colour))
    draw.add_text((at.x + side, at.y), imgui.get_color_u32(int(imgui.Col_.text)), words)


def _room() -> float:
    return imgui.get_content_region_avail().x


def rows(name: str, pairs: list[tuple[str, str]]) -> None:
    """Draw a table of (name, value) rows with wrapped text; `name` identifies the table to imgui."""
    if not pairs or not imgui.begin_table(name, 2, int(imgui.TableFlags_.row_bg)):
        return
    widest = max(imgui.calc_text_size(key).x for key, _ in pairs)
    imgui.table_setup_column("key", int(imgui.TableColumnFlags_.width_fixed), min(widest, _room() * 0.5))
    imgui.table_setup_column("value", int(imgui.TableColumnFlags_.width_stretch))
    for key, value in pairs:
        imgui.table_next_column()
        wrapped(key, style.FAINT)
        imgui.table_next_column()
        wrapped(value)
    imgui.end_table()
