"""The statistics panel: speed, a plot of the amount of each material, temperatures, and the time of each pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.core.fields import TEMPERATURE_ONE
from gpufluid.viewer import speed
from gpufluid.viewer.panels import widgets
from gpufluid.viewer.texts import readable_colour
from gpufluid.world.statistics import Statistics

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_PLOT_HEIGHT = 8
_LISTED = 12
_POINTS = 200
_GROUND = (15, 17, 20)


def draw(viewer: Viewer, ui: UiState) -> None:  # noqa: ARG001
    """Draw the panel."""
    facts = viewer.statistics
    world = viewer.sim.blank
    widgets.rows(
        "speed",
        [
            ("tick", f"{viewer.sim.tick:,}"),
            ("ticks/s", speed.in_words(facts.ticks_a_second)),
            ("frames/s", speed.in_words(facts.frames_a_second)),
            ("world", f"{world.width:,} x {world.height:,} cells"),
        ],
    )
    _counts(viewer)
    _warmth(facts.latest)
    _passes(facts.ms_by_pass)


def _warmth(found: Statistics | None) -> None:
    """Draw the temperatures and the heat of the world, if it has temperatures."""
    if found is None or found.mean is None:
        return
    imgui.separator_text("Temperature, degrees C")
    widgets.rows(
        "warmth",
        [
            ("largest", f"{found.largest:,.1f}"),
            ("mean", f"{found.mean:,.1f}"),
            ("least", f"{found.least:,.1f}"),
            ("heat held", f"{found.heat / TEMPERATURE_ONE:,.0f} degrees of a cell"),
        ],
    )


def _passes(spent: dict[str, float]) -> None:
    """Draw a bar for each pass, the longest first; `spent` is in milliseconds, by full name."""
    if not spent:
        return
    imgui.separator_text("Milliseconds a tick, by pass")
    most = max(*spent.values(), 1e-9)
    for name, ms in sorted(spent.items(), key=lambda item: -item[1])[:_LISTED]:
        imgui.progress_bar(ms / most, (-1, imgui.get_text_line_height() * 1.2), "")
        low, draw_list = imgui.get_item_rect_min(), imgui.get_window_draw_list()
        ink, words = imgui.get_color_u32(int(imgui.Col_.text)), f"{ms:.3f}"
        right = imgui.get_item_rect_max().x - imgui.calc_text_size(words).x - widgets.em(0.4)
        draw_list.add_text((low.x + widgets.em(0.4), low.y + widgets.em(0.1)), ink, name)
        draw_list.add_text((right, low.y + widgets.em(0.1)), ink, words)


def _counts(viewer: Viewer) -> None:
    facts = viewer.statistics
    shown = _shown(viewer)
    if len(facts.ticks) < 2 or not shown:
        return
    imgui.separator_text("Cells of each material")
    most = max(max(facts.counts[name]) for name in shown)
    size = imgui.get_content_region_avail().x, widgets.em(_PLOT_HEIGHT)
    at = imgui.get_cursor_screen_pos()
    imgui.dummy(size)
    draw_list = imgui.get_window_draw_list()
    draw_list.add_rect_filled(at, (at.x + size[0], at.y + size[1]), widgets.imgui_colour(_GROUND))
    ticks = _spread(facts.ticks, facts.ticks[0], facts.ticks[-1])
    for name, colour in shown.items():
        heights = _spread(facts.counts[name], 0, most * 1.25)
        points: list[imgui.ImVec2Like] = [
            imgui.ImVec2(at.x + size[0] * x, at.y + size[1] * (1 - y)) for x, y in zip(ticks, heights, strict=False)
        ]
        draw_list.add_polyline(points, widgets.imgui_colour(colour), widgets.em(0.09), 0)
    ink = imgui.get_color_u32(int(imgui.Col_.text_disabled))
    draw_list.add_text((at.x + widgets.em(0.3), at.y + widgets.em(0.1)), ink, f"{most:,}")
    first, last = f"tick {facts.ticks[0]:,}", f"{facts.ticks[-1]:,}"
    imgui.text_disabled(first)
    imgui.same_line(size[0] - imgui.calc_text_size(last).x + imgui.get_cursor_start_pos().x)
    imgui.text_disabled(last)
    for number, (name, colour) in enumerate(shown.items()):
        widgets.legend_entry(f"{name} {facts.counts[name][-1]:,}", colour, first=number == 0)


def _spread(values: Sequence[int], low: float, high: float) -> list[float]:
    """Map values from [low, high] to [0, 1]; keeps at most about `2 * _POINTS` of them, evenly spaced."""
    every = max(1, len(values) // _POINTS)
    return [(value - low) / max(high - low, 1) for value in [*values][::every]]


def _shown(viewer: Viewer) -> dict[str, tuple[int, int, int]]:
    """The colour of each material that the world has or had, lightened to be visible on the plot's background."""
    counts = viewer.statistics.counts
    return {
        record.name: readable_colour(record.colour)
        for record in viewer.sim.blank.materials
        if record.name in counts and any(counts[record.name])
    }
