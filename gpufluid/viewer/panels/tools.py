"""What the pointer does to the world: paint, erase, and the rest; how wide, and at what speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.brush import SIZE_MOST
from gpufluid.viewer.panels import widgets
from gpufluid.viewer.tool import DEGREES_LEAST, DEGREES_MOST

if TYPE_CHECKING:
    from gpufluid.viewer.panels.desk import Desk
    from gpufluid.viewer.viewer import Viewer

_MODES = {
    "paint": "Put the material of the palette wherever the brush goes.",
    "erase": "Leave nothing where the brush goes.",
    "replace": "Put the material only where there is one already.",
    "line": "A straight line, from where the button goes down to where it comes up.",
    "rectangle": "All within a rectangle, from corner to corner.",
    "fill": "Put the material in the whole area of one kind that is clicked.",
    "emitter": "Matter will come out of there; drag to say how fast and which way.",
    "drain": "Drag a rectangle in which all matter will vanish.",
    "remove": "Take away the emitter or drain that is clicked.",
    "pick": "Take the material that is clicked.",
}
_HEATING = {
    "warm": "Warm what is under the brush, for as long as it is held; the right button cools.",
    "cool": "Cool what is under the brush, for as long as it is held; the right button warms.",
}
_SHAPES = {
    "round": "A round brush.",
    "square": "A square brush.",
    "spray": "Single cells by chance within a round brush.",
}
_FASTEST = 7.0


def draw(viewer: Viewer, desk: Desk) -> None:  # noqa: ARG001
    """Draw the panel."""
    tool = viewer.tool
    modes = _MODES | (_HEATING if "temperature" in viewer.sim.laws.fields else {})
    for number, (mode, about) in enumerate(modes.items()):
        if widgets.button(mode.capitalize(), about, tool.mode == mode, number == 0):
            widgets.act(viewer, "tool", mode=mode)
    for number, (shape, about) in enumerate(_SHAPES.items()):
        if widgets.button(shape.capitalize(), about, tool.shape == shape, number == 0):
            widgets.act(viewer, "shape", name=shape)
    imgui.set_next_item_width(-1)
    flags = int(imgui.SliderFlags_.logarithmic | imgui.SliderFlags_.always_clamp)
    wide = "%d cell wide" if tool.size == 1 else "%d cells wide"
    changed, cells = imgui.slider_int("##size", tool.size, 1, SIZE_MOST, wide, flags)
    widgets.tooltip("How many cells the brush is wide.")
    if changed:
        widgets.act(viewer, "brush_size", cells=cells)
    if tool.mode in _HEATING:
        _degrees(viewer)
    else:
        _velocity(viewer)


def _degrees(viewer: Viewer) -> None:
    imgui.set_next_item_width(-1)
    flags = int(imgui.SliderFlags_.logarithmic | imgui.SliderFlags_.always_clamp)
    words = f"{viewer.tool.degrees:g} degrees C a tick"
    changed, count = imgui.slider_float("##degrees", viewer.tool.degrees, DEGREES_LEAST, DEGREES_MOST, words, flags)
    widgets.tooltip("What the heat brush gives or takes in a tick.")
    if changed:
        widgets.act(viewer, "degrees", count=round(count / DEGREES_LEAST) * DEGREES_LEAST)


def _velocity(viewer: Viewer) -> None:
    x, y = viewer.tool.velocity
    imgui.set_next_item_width(-1)
    changed, speed = imgui.slider_float2("##velocity", [x, y], -_FASTEST, _FASTEST, "%.1f")
    widgets.tooltip("The speed of what is painted, in cells a tick: to the right, and downwards.")
    if changed:
        widgets.act(viewer, "velocity", x=speed[0], y=speed[1])
    still = "Painted at rest" if (x, y) == (0, 0) else f"Painted at {x:g}, {y:g} cells a tick"
    widgets.wrapped(still, widgets.style.FAINT)
    if (x, y) != (0, 0) and widgets.button("At rest"):
        widgets.act(viewer, "velocity", x=0.0, y=0.0)
