"""The small parts that several panels are made of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.panels import style

if TYPE_CHECKING:
    from gpufluid.viewer.viewer import Viewer


def em(count: float = 1) -> float:
    """So many times the height of a line of text, in pixels: the one measure of all widths."""
    return imgui.get_font_size() * count


def button_width(label: str) -> float:
    """What a button takes, in pixels."""
    return imgui.calc_text_size(label, hide_text_after_double_hash=True).x + 2 * imgui.get_style().frame_padding.x


def flow(width: float) -> None:
    """Stay on the line if something so wide fits there; else go on below."""
    edge = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
    if imgui.get_item_rect_max().x + imgui.get_style().item_spacing.x + width <= edge:
        imgui.same_line()


def button(label: str, tip: str = "", chosen: bool = False, first: bool = False) -> bool:
    """A button that flows on after the one before it; whether it was pressed.

    Args:
        label: its words.
        tip: what shows when the pointer rests on it.
        chosen: whether it is the one in force among several.
        first: whether it begins a line.
    """
    if not first:
        flow(button_width(label))
    if chosen:
        imgui.push_style_color(int(imgui.Col_.button), style.chosen())
    pressed = imgui.button(label)
    if chosen:
        imgui.pop_style_color()
    tooltip(tip)
    return pressed


def tooltip(tip: str) -> None:
    """Words that show when the pointer rests on the last item."""
    if tip and imgui.is_item_hovered(int(imgui.HoveredFlags_.for_tooltip)):
        imgui.begin_tooltip()
        imgui.push_text_wrap_pos(em(24))
        imgui.text_unformatted(tip)
        imgui.pop_text_wrap_pos()
        imgui.end_tooltip()


def wrapped(text: str, colour: tuple[float, float, float, float] = style.INK) -> None:
    """Text that goes on in the next line where the panel ends."""
    imgui.push_style_color(int(imgui.Col_.text), imgui.ImVec4(*colour))
    imgui.push_text_wrap_pos(0)
    imgui.text_unformatted(text)
    imgui.pop_text_wrap_pos()
    imgui.pop_style_color()


def packed(colour: tuple[int, int, int], opacity: int = 255) -> int:
    """A colour, 0 to 255, as imgui draws with it."""
    red, green, blue = colour
    return red | green << 8 | blue << 16 | opacity << 24


def readable(colour: tuple[int, int, int]) -> tuple[int, int, int]:
    """The same hue, light enough for a line on dark ground."""
    light = (0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]) / 255
    lift = max(0.0, 0.42 - light)
    red, green, blue = (round(part + (255 - part) * lift) for part in colour)
    return red, green, blue


def chip(name: str, colour: tuple[int, int, int], chosen: bool, tip: str, key: str = "") -> bool:
    """A button with a swatch of colour before its name, and a key after it; flows. Whether it was pressed."""
    look = imgui.get_style()
    side, gap = imgui.get_text_line_height(), look.frame_padding.x
    words, after = imgui.calc_text_size(name), imgui.calc_text_size(key)
    size = imgui.ImVec2(
        min(side + words.x + 3 * gap + (after.x + gap if key else 0), _room()), side + 2 * look.frame_padding.y
    )
    flow(size.x)
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
    draw.add_rect_filled(left, right, packed(colour), look.frame_rounding)
    draw.add_rect(left, right, packed((255, 255, 255), 120), look.frame_rounding)
    draw.push_clip_rect(at, corner, True)
    draw.add_text(imgui.ImVec2(right.x + gap, left.y), imgui.get_color_u32(int(imgui.Col_.text)), name)
    faint = imgui.get_color_u32(int(imgui.Col_.text_disabled))
    draw.add_text(imgui.ImVec2(corner.x - gap - after.x, left.y), faint, key)
    draw.pop_clip_rect()
    tooltip(tip)
    return pressed


def dot() -> None:
    """The red dot of a recording, at the end of the line."""
    words = "recording"
    width = imgui.calc_text_size(words).x + em(1.4)
    imgui.set_cursor_pos_x(max(imgui.get_cursor_pos_x(), imgui.get_window_width() - width))
    at, side = imgui.get_cursor_screen_pos(), imgui.get_frame_height()
    centre = (at.x + em(0.5), at.y + side / 2)
    imgui.get_window_draw_list().add_circle_filled(
        centre, em(0.38), imgui.get_color_u32(imgui.ImVec4(*style.RECORDING))
    )
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + em(1))
    imgui.text_unformatted(words)


def act(viewer: Viewer, action: str, **arguments: object) -> None:
    """Do something; what the viewer refuses becomes a message of its own."""
    viewer.attempt(lambda: viewer.do(action, **arguments))


def keys_of(viewer: Viewer, action: str, arguments: Mapping[str, object] | None = None) -> str:
    """The keys that are bound to an action, as one reads them; with these arguments, if any are given."""
    found = [
        chord
        for chord, (name, given) in viewer.bindings.items()
        if name == action and (arguments is None or dict(given) == dict(arguments))
    ]
    return ", ".join(readable_chord(chord) for chord in found)


def readable_chord(chord: str) -> str:
    """A chord as one reads it: ``Ctrl+Shift+Z``."""
    return re.sub(r"[a-z]\w*", lambda word: word[0].capitalize(), chord)


def entry(words: str, colour: tuple[int, int, int], first: bool) -> None:
    """A line of a plot's legend: a swatch of its colour, and words; flows."""
    side = imgui.get_text_line_height()
    width = side + imgui.calc_text_size(words).x + em(0.4)
    if not first:
        flow(width)
    at = imgui.get_cursor_screen_pos()
    imgui.dummy((width, side))
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled((at.x, at.y + side * 0.2), (at.x + side * 0.7, at.y + side * 0.9), packed(colour))
    draw.add_text((at.x + side, at.y), imgui.get_color_u32(int(imgui.Col_.text)), words)


def _room() -> float:
    return imgui.get_content_region_avail().x


def rows(name: str, pairs: list[tuple[str, str]]) -> None:
    """A table of names and values, each as many lines as it needs."""
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
