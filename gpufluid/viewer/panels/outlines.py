"""Outlines drawn over the world: the brush, the shape being dragged out, emitters and drains."""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.panels import widgets

if TYPE_CHECKING:
    from gpufluid.gpu.imgui_renderer import Box
    from gpufluid.viewer.area import Area
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.pointer import Pixel
    from gpufluid.viewer.viewer import Viewer

_LIGHT, _DARK = (255, 255, 255), (0, 0, 0)
_BRUSHED, _DRAGGED = ("paint", "erase", "replace", "emitter", "warm", "cool"), ("rectangle", "drain")
_PORTS = ("emitter", "drain", "remove")


def draw(viewer: Viewer, ui: UiState, room: Area) -> None:
    """Draw the outlines, clipped to the area that the panels leave free."""
    draw_list = imgui.get_background_draw_list()
    draw_list.push_clip_rect((room.left, room.top), (room.right, room.bottom))
    if viewer.tool.mode in _PORTS:
        for port in (*viewer.sim.blank.emitters, *viewer.sim.blank.drains):
            far = port.at[0] + port.size[0], port.at[1] + port.size[1]
            _rectangle(viewer.camera.pixel_of(port.at), viewer.camera.pixel_of(far))
    arrow = viewer.pointer.arrow
    if arrow is not None:
        _dragged(viewer, *arrow)
    elif ui.over_world is not None and viewer.tool.mode in _BRUSHED:
        _brush(viewer, ui.over_world)
    draw_list.pop_clip_rect()


def edge_of_world(viewer: Viewer) -> list[Box]:
    """The lines around the world, a pixel wide, as far as they lie in the window. By night nothing else shows it."""
    width, height = viewer.camera.window
    left, top, right, bottom = _whole_world(viewer)
    lines = [(left - 1, top - 1, right + 1, top), (left - 1, bottom, right + 1, bottom + 1)]
    lines += [(left - 1, top, left, bottom), (right, top, right + 1, bottom)]
    clipped = [(max(x, 0), max(y, 0), min(far, width), min(low, height)) for x, y, far, low in lines]
    return [(x, y, far, low) for x, y, far, low in clipped if x < far and y < low]


def box_of_world(viewer: Viewer) -> Box:
    """The part of the window in which the world is seen, in whole pixels."""
    (left, top, right, bottom), (width, height) = _whole_world(viewer), viewer.camera.window
    return max(left, 0), max(top, 0), min(right, width), min(bottom, height)


def _whole_world(viewer: Viewer) -> tuple[int, int, int, int]:
    """The pixels that the world covers, (left, top, right, bottom), also beyond the window."""
    low, high = viewer.camera.pixel_of((0, 0)), viewer.camera.pixel_of(viewer.camera.world)
    return floor(low[0]), floor(low[1]), ceil(high[0]), ceil(high[1])


def _brush(viewer: Viewer, at: Pixel) -> None:
    camera, tool = viewer.camera, viewer.tool
    column, row = camera.nearest_cell(at)
    near, far = ((tool.size - 1) // 2, tool.size // 2) if tool.size % 2 else (tool.size // 2, tool.size // 2)
    low, high = camera.pixel_of((column - near, row - near)), camera.pixel_of((column + far + 1, row + far + 1))
    if tool.shape == "square" or tool.mode == "emitter":
        _rectangle(low, high)
        return
    centre, reach = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2), (high[0] - low[0]) / 2
    draw_list = imgui.get_background_draw_list()
    draw_list.add_circle(centre, reach + 1, widgets.imgui_colour(_DARK, 160))
    draw_list.add_circle(centre, reach, widgets.imgui_colour(_LIGHT))


def _dragged(viewer: Viewer, start: Pixel, end: Pixel) -> None:
    if viewer.pointer.drag in _DRAGGED:
        _rectangle((min(start[0], end[0]), min(start[1], end[1])), (max(start[0], end[0]), max(start[1], end[1])))
        return
    draw_list = imgui.get_background_draw_list()
    draw_list.add_line(start, end, widgets.imgui_colour(_DARK, 160), widgets.em(0.25))
    draw_list.add_line(start, end, widgets.imgui_colour(_LIGHT), widgets.em(0.12))
    draw_list.add_circle_filled(end, widgets.em(0.25), widgets.imgui_colour(_LIGHT))


def _rectangle(low: Pixel, high: Pixel) -> None:
    draw_list = imgui.get_background_draw_list()
    draw_list.add_rect((low[0] - 1, low[1] - 1), (high[0] + 1, high[1] + 1), widgets.imgui_colour(_DARK, 160))
    draw_list.add_rect(low, high, widgets.imgui_colour(_LIGHT))
