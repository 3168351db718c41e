"""The overlays panel: a button for each overlay of the world's rules, and the legend."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import imgui

from gpufluid.render.legend import in_few_digits, value_at
from gpufluid.render.painter import colour_table, overlay_span
from gpufluid.rules import Overlay
from gpufluid.viewer.panels import widgets

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_STEPS = 48


def draw(viewer: Viewer, ui: UiState) -> None:
    """Draw the panel."""
    if widgets.button("none", "Show the materials.", viewer.overlay is None, first=True):
        widgets.act(viewer, "no_overlay")
    for overlay in viewer.overlays:
        if widgets.button(overlay.name, overlay.about, overlay.name == viewer.overlay):
            widgets.act(viewer, "overlay", name=overlay.name)
    draw_legend(viewer, ui)


def draw_legend(viewer: Viewer, ui: UiState) -> None:  # noqa: ARG001
    """Draw the legend of the overlay shown, if any."""
    shown = next((overlay for overlay in viewer.overlays if overlay.name == viewer.overlay), None)
    if shown is not None:
        _legend(viewer, shown)


def _legend(viewer: Viewer, overlay: Overlay) -> None:
    """Draw the overlay's label, its colour scale from the lowest value to the highest, and five values."""
    widgets.wrapped(overlay.label)
    if overlay.lines:
        return
    low, high = overlay_span(viewer.sim.blank, overlay.name)
    at, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    height = imgui.get_text_line_height()
    draw_list = imgui.get_window_draw_list()
    for number, colour in enumerate(_colours(overlay)):
        left, right = (round(at.x + width * (number + more) / _STEPS) for more in (0, 1))
        draw_list.add_rect_filled((left, at.y), (right, at.y + height), widgets.imgui_colour(colour))
    imgui.dummy((width, height))
    line = imgui.get_cursor_screen_pos()
    for place in (0.0, 0.25, 0.5, 0.75, 1.0):
        words = in_few_digits(value_at(place, overlay, low, high))
        shift = imgui.calc_text_size(words).x * place
        draw_list.add_text((line.x + width * place - shift, line.y), imgui.get_color_u32(int(imgui.Col_.text)), words)
    imgui.dummy((width, height))


@lru_cache(maxsize=16)
def _colours(overlay: Overlay) -> tuple[tuple[int, int, int], ...]:
    table = colour_table(overlay)[np.linspace(0, 255, _STEPS).round().astype(int), :3]
    return tuple((int(red), int(green), int(blue)) for red, green, blue in table)
