"""The tool panel: the tool's mode, brush shape and size, and the velocity or heat that it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.scene.matter import amount_fields
from gpufluid.viewer.brush import SIZE_MOST
from gpufluid.viewer.panels import widgets
from gpufluid.viewer.pointer import STROKES
from gpufluid.viewer.tool import DEGREES_LEAST, DEGREES_MOST, PAINTING, RATE_LEAST

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_MODES = {
    "paint": "Paint the chosen material with the brush; hold the button to pour.",
    "erase": "Erase with the brush, as long as the button is held.",
    "replace": "Paint only over the material at the start of the stroke.",
    "line": "Drag a straight line of the chosen material.",
    "rectangle": "Drag a rectangle of the chosen material.",
    "fill": "Fill the connected area of the clicked material.",
    "emitter": "Place an emitter of the chosen material; drag to set its velocity.",
    "drain": "Drag a rectangle that removes all matter in it.",
    "remove": "Remove the clicked emitter or drain.",
    "pick": "Choose the clicked material.",
}
_HEATING = {
    "warm": "Heat the cells under the brush while the button is held; the right button cools.",
    "cool": "Cool the cells under the brush while the button is held; the right button heats.",
}
_SHAPES = {
    "round": "Use a round brush.",
    "square": "Use a square brush.",
    "spray": "Use a round brush that paints cells at random.",
}
_FASTEST = 7.0


def draw(viewer: Viewer, ui: UiState) -> None:  # noqa: ARG001
    """Draw the panel."""
    tool = viewer.tool
    modes = _MODES | (_HEATING if "temperature" in viewer.sim.blank.fields else {})
    for number, (mode, about) in enumerate(modes.items()):
        if widgets.button(mode.capitalize(), about, tool.mode == mode, number == 0):
            widgets.act(viewer, "tool", mode=mode)
    for number, (shape, about) in enumerate(_SHAPES.items()):
        if widgets.button(shape.capitalize(), about, tool.shape == shape, number == 0):
            widgets.act(viewer, "shape", name=shape)
    rated = tool.mode in STROKES or tool.shape == "spray"
    half = (imgui.get_content_region_avail().x - imgui.get_style().item_spacing.x) / 2
    imgui.set_next_item_width(half if rated else -1)
    flags = int(imgui.SliderFlags_.logarithmic | imgui.SliderFlags_.always_clamp)
    wide = "%d cell" if tool.size == 1 else "%d cells"
    changed, cells = imgui.slider_int("##size", tool.size, 1, SIZE_MOST, wide, flags)
    widgets.tooltip("Brush width in cells.")
    if changed:
        widgets.act(viewer, "brush_size", cells=cells)
    if rated:
        imgui.same_line()
        _rate(viewer)
    if tool.mode in PAINTING:
        _amount(viewer)
    if tool.mode in _HEATING:
        _degrees(viewer)
    else:
        _velocity(viewer)


def _amount(viewer: Viewer) -> None:
    """Draw the amount that is laid, if the chosen material is stored as an amount."""
    laws, tool = viewer.sim.blank, viewer.tool
    if tool.material not in amount_fields(laws):
        return
    imgui.set_next_item_width(-1)
    clamp = int(imgui.SliderFlags_.always_clamp)
    changed, cells = imgui.slider_float("##amount", tool.amount, 0, 1, "%.2f of a cell", clamp)
    widgets.tooltip(f"Part of a cell of {tool.material} that is laid in each cell.")
    if changed:
        widgets.act(viewer, "amount", cells=cells)
    if laws.mixture.names:
        changed, mix = imgui.checkbox("Mix with what is there", tool.mix)
        widgets.tooltip("Leave what is in a cell, as far as there is room. If not, what is laid replaces it.")
        if changed:
            widgets.act(viewer, "mix", on=mix)


def _rate(viewer: Viewer) -> None:
    imgui.set_next_item_width(-1)
    flags = int(imgui.SliderFlags_.logarithmic | imgui.SliderFlags_.always_clamp)
    words = f"{100 * viewer.tool.rate:.3g} %% a tick"
    changed, share = imgui.slider_float("##rate", viewer.tool.rate, RATE_LEAST, 1, words, flags)
    widgets.tooltip("Share of the brush's cells that it lays in each tick while the button is held; a spray, at once.")
    if changed:
        widgets.act(viewer, "pour_rate", share=share)


def _degrees(viewer: Viewer) -> None:
    imgui.set_next_item_width(-1)
    flags = int(imgui.SliderFlags_.logarithmic | imgui.SliderFlags_.always_clamp)
    words = f"{viewer.tool.degrees:g} degrees C a tick"
    changed, count = imgui.slider_float("##degrees", viewer.tool.degrees, DEGREES_LEAST, DEGREES_MOST, words, flags)
    widgets.tooltip("Temperature change under the heat brush, in each tick.")
    if changed:
        widgets.act(viewer, "degrees", count=round(count / DEGREES_LEAST) * DEGREES_LEAST)


def _velocity(viewer: Viewer) -> None:
    x, y = viewer.tool.velocity
    imgui.set_next_item_width(-1)
    changed, speed = imgui.slider_float2("##velocity", [x, y], -_FASTEST, _FASTEST, "%.1f")
    widgets.tooltip("Velocity of painted matter, in cells a tick: to the right, and downwards.")
    if changed:
        widgets.act(viewer, "velocity", x=speed[0], y=speed[1])
    still = "Painted at rest" if (x, y) == (0, 0) else f"Painted at {x:g}, {y:g} cells a tick"
    widgets.wrapped(still, widgets.style.FAINT)
    if (x, y) != (0, 0) and widgets.button("At rest"):
        widgets.act(viewer, "velocity", x=0.0, y=0.0)
