"""The tool panel: the tool's mode, brush shape and size, and the velocity or heat that it gives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.scene.matter import amount_fields
from gpufluid.viewer.brush import SIZE_MOST
from gpufluid.viewer.panels import widgets
from gpufluid.viewer.pointer import HEATING, STROKES
from gpufluid.viewer.texts import SHAPES, keys_of
from gpufluid.viewer.tool import DEGREES_LEAST, DEGREES_MOST, LABELS, LAYING, MODES, PAINTING, RATE_LEAST

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_FASTEST = 7.0


def draw(viewer: Viewer, ui: UiState) -> None:  # noqa: ARG001
    """Draw the panel. Each tool has all controls, so that the panels below stay; those without effect are grey."""
    tool, fields = viewer.tool, viewer.sim.blank.fields
    warm = "temperature" in fields
    modes = [mode for mode in MODES if warm or mode not in HEATING]
    for number, mode in enumerate(modes):
        if widgets.button(LABELS.get(mode, mode.capitalize()), MODES[mode], tool.mode == mode, number == 0):
            widgets.act(viewer, "tool", mode=mode)
    for number, (shape, about) in enumerate(SHAPES.items()):
        if widgets.button(shape.capitalize(), about, tool.shape == shape, number == 0):
            widgets.act(viewer, "shape", name=shape)
    half = (imgui.get_content_region_avail().x - imgui.get_style().item_spacing.x) / 2
    imgui.set_next_item_width(half)
    flags = int(imgui.SliderFlags_.logarithmic | imgui.SliderFlags_.always_clamp)
    wide = "%d cell" if tool.size == 1 else "%d cells"
    changed, cells = imgui.slider_int("##size", tool.size, 1, SIZE_MOST, wide, flags)
    widgets.tooltip("How wide the brush is, in cells.")
    if changed:
        widgets.act(viewer, "brush_size", cells=cells)
    imgui.same_line()
    with _enabled(tool.mode in STROKES or tool.shape == "spray"):
        _rate(viewer)
    _amount(viewer)
    with _enabled(tool.mode in LAYING):
        _over_walls(viewer)
    if "velocity" in fields:
        with _enabled(tool.mode not in HEATING):
            _velocity(viewer)
    if warm:
        with _enabled(tool.mode in HEATING):
            _degrees(viewer)


@contextmanager
def _enabled(on: bool) -> Iterator[None]:
    """Draw controls that can be used, or grey ones."""
    imgui.begin_disabled(not on)
    try:
        yield
    finally:
        imgui.end_disabled()


def _amount(viewer: Viewer) -> None:
    """Draw the amount that is laid, in a world that stores some materials as amounts."""
    laws, tool = viewer.sim.blank, viewer.tool
    stored = amount_fields(laws)
    if not stored:
        return
    with _enabled(tool.mode in PAINTING and tool.material in stored):
        imgui.set_next_item_width(-1)
        clamp = int(imgui.SliderFlags_.always_clamp)
        changed, cells = imgui.slider_float("##amount", tool.amount, 0, 1, "%.2f of a cell", clamp)
        widgets.tooltip(f"Part of a cell that is laid in each cell, of {' or '.join(stored)}.")
        if changed:
            widgets.act(viewer, "amount", cells=cells)
        if laws.mixture.names:
            changed, mix = imgui.checkbox("Mix with what is there", tool.mix)
            widgets.tooltip("Leave what is in a cell, as far as there is room. If not, what is laid replaces it.")
            if changed:
                widgets.act(viewer, "mix", on=mix)


def _over_walls(viewer: Viewer) -> None:
    changed, on = imgui.checkbox("Paint over walls", viewer.tool.over_walls)
    key = keys_of(viewer, "over_walls")
    widgets.tooltip(f"If not, floor and walls stay as they are; Erase always removes them ({key}).")
    if changed:
        widgets.act(viewer, "over_walls", on=on)


def _rate(viewer: Viewer) -> None:
    imgui.set_next_item_width(-1)
    flags = int(imgui.SliderFlags_.logarithmic | imgui.SliderFlags_.always_clamp)
    words = f"pour {100 * viewer.tool.rate:.3g} %%"
    changed, share = imgui.slider_float("##rate", viewer.tool.rate, RATE_LEAST, 1, words, flags)
    widgets.tooltip("How much of the brush is laid in each tick while the button is held; of a spray, at once.")
    if changed:
        widgets.act(viewer, "pour_rate", share=share)


def _degrees(viewer: Viewer) -> None:
    imgui.set_next_item_width(-1)
    flags = int(imgui.SliderFlags_.logarithmic | imgui.SliderFlags_.always_clamp)
    words = f"{viewer.tool.degrees:g} \u00b0C a tick"
    changed, count = imgui.slider_float("##degrees", viewer.tool.degrees, DEGREES_LEAST, DEGREES_MOST, words, flags)
    widgets.tooltip("How much warmer or colder the cells under the brush get in each tick.")
    if changed:
        widgets.act(viewer, "degrees", count=round(count / DEGREES_LEAST) * DEGREES_LEAST)


def _speed(value: float, axis: str, negative: str, positive: str) -> str:
    """The text of a slider for a speed: its direction and size, or its axis at rest."""
    return f"{negative if value < 0 else positive} {abs(value):.1f}" if value else f"{axis}: 0"


def _velocity(viewer: Viewer) -> None:
    """Draw how fast what is laid flies."""
    x, y = viewer.tool.velocity
    half = (imgui.get_content_region_avail().x - imgui.get_style().item_spacing.x) / 2
    imgui.set_next_item_width(half)
    turned, right = imgui.slider_float("##right", x, -_FASTEST, _FASTEST, _speed(x, "sideways", "left", "right"))
    tip = "How fast what is laid flies, in cells a tick. A drag with Alt over the world sets this by an arrow."
    widgets.tooltip(tip)
    imgui.same_line()
    imgui.set_next_item_width(-1)
    tilted, down = imgui.slider_float("##down", y, -_FASTEST, _FASTEST, _speed(y, "up, down", "up", "down"))
    widgets.tooltip(tip)
    if turned or tilted:
        widgets.act(viewer, "velocity", x=right, y=down)
    with _enabled((x, y) != (0, 0)):
        if widgets.button("At rest", "Lay matter at rest.", first=True):
            widgets.act(viewer, "velocity", x=0.0, y=0.0)
