"""The style of the panels: font, colours, and distances that follow one scale factor."""

from __future__ import annotations

from pathlib import Path

import imgui_bundle
from imgui_bundle import imgui

TEXT_SIZE = 16
"""Height of a line of text at scale 1, in pixels."""

INK, FAINT = (0.93, 0.94, 0.95, 1.0), (0.66, 0.69, 0.73, 1.0)
ALARM = (1.0, 0.45, 0.38, 1.0)
RECORDING = (0.93, 0.16, 0.16, 1.0)
PAPER = (0.12, 0.13, 0.15)
"""The background of a panel. The window draws it, not imgui: see `ImguiRenderer.draw_grounds`."""

EDGE = (0.43, 0.46, 0.52)
"""The lines around the world."""

_RAISED, _HOVERED, _CHOSEN = (0.21, 0.23, 0.26), (0.30, 0.33, 0.38), (0.16, 0.42, 0.68)


def load_font() -> None:
    """Load the font of imgui-bundle, or imgui's default font if that file is missing."""
    path = Path(imgui_bundle.__file__).parent / "assets" / "fonts" / "DroidSans.ttf"
    fonts = imgui.get_io().fonts
    if path.is_file():
        fonts.add_font_from_file_ttf(str(path), TEXT_SIZE)
    else:
        fonts.add_font_default_vector()


def apply(scale: float) -> None:
    """Set all sizes and colours. `scale`: factor for text and distances; 1 suits a monitor of normal density."""
    style = imgui.get_style()
    style.font_size_base, style.font_scale_main = TEXT_SIZE, scale
    for name, x, y in (
        ("window_padding", 8, 7),
        ("frame_padding", 7, 3),
        ("item_spacing", 6, 5),
        ("item_inner_spacing", 5, 4),
        ("cell_padding", 4, 2),
    ):
        setattr(style, name, imgui.ImVec2(round(x * scale), round(y * scale)))
    for name, value in (
        ("indent_spacing", 14),
        ("scrollbar_size", 12),
        ("grab_min_size", 12),
        ("window_rounding", 0),
        ("frame_rounding", 3),
        ("grab_rounding", 3),
        ("popup_rounding", 4),
        ("scrollbar_rounding", 6),
    ):
        setattr(style, name, round(value * scale))
    style.window_border_size = style.popup_border_size = 1
    style.window_min_size = imgui.ImVec2(1, 1)
    _colour()


def _colour() -> None:
    style, kind = imgui.get_style(), imgui.Col_
    for part, colour in (
        (kind.text, INK),
        (kind.text_disabled, FAINT),
        (kind.window_bg, (0, 0, 0, 0)),
        (kind.popup_bg, (*PAPER, 1)),
        (kind.menu_bar_bg, (0, 0, 0, 0)),
        (kind.border, (0.36, 0.39, 0.44, 0.8)),
        (kind.title_bg_active, (*_RAISED, 1)),
        (kind.modal_window_dim_bg, (0, 0, 0, 0.45)),
        (kind.frame_bg, (*_RAISED, 1)),
        (kind.frame_bg_hovered, (*_HOVERED, 1)),
        (kind.frame_bg_active, (*_HOVERED, 1)),
        (kind.button, (*_RAISED, 1)),
        (kind.button_hovered, (*_HOVERED, 1)),
        (kind.button_active, (*_CHOSEN, 1)),
        (kind.header, (*_RAISED, 1)),
        (kind.header_hovered, (*_HOVERED, 1)),
        (kind.header_active, (*_CHOSEN, 1)),
        (kind.check_mark, INK),
        (kind.plot_histogram, (*_CHOSEN, 1)),
        (kind.slider_grab, (*_CHOSEN, 1)),  # dark, because the number lies over it
        (kind.slider_grab_active, (0.20, 0.48, 0.76, 1)),
        (kind.table_row_bg_alt, (1, 1, 1, 0.03)),
    ):
        style.set_color_(int(part), imgui.ImVec4(*colour))


def chosen() -> imgui.ImVec4:
    """The background colour of the chosen button in a group."""
    return imgui.ImVec4(*_CHOSEN, 1)
