"""The time bar at the bottom: pause, single ticks, rate, rewind and reset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer import speed
from gpufluid.viewer.clock import RATE_MOST
from gpufluid.viewer.panels import widgets
from gpufluid.viewer.texts import keys_of

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_STEPS = (1, 10, 100)
_BACK = (10, 100)
_PAUSED = {True: "Run", False: "Pause"}
_SLIDER = 14
_USUAL = 60


def draw(viewer: Viewer, ui: UiState) -> float:
    """Draw the bar. Returns the position of its top edge, in pixels from the window's top."""
    screen = imgui.get_io().display_size
    imgui.set_next_window_pos((0, screen.y), pivot=(0, 1))
    imgui.set_next_window_size_constraints((screen.x, 0), (screen.x, screen.y))
    with ui.window("time", int(imgui.WindowFlags_.always_auto_resize)):
        _ticks(viewer)
        _rate(viewer)
        _back(viewer)
        _state(viewer)
        height = imgui.get_window_height()
    return screen.y - height


def _ticks(viewer: Viewer) -> None:
    paused = viewer.clock.paused
    key = keys_of(viewer, "pause")
    width = max(map(widgets.button_width, _PAUSED.values()))  # the bar stays as it is when the label changes
    if widgets.button(_PAUSED[paused], f"Pause, or continue ({key}).", paused, first=True, width=width):
        widgets.act(viewer, "pause")
    for ticks in _STEPS:
        if widgets.button(f"+{ticks}", f"Run {ticks} ticks." if ticks > 1 else "Run one tick."):
            widgets.act(viewer, "step", ticks=ticks)


def _rate(viewer: Viewer) -> None:
    rate = viewer.clock.rate
    widgets.same_line_if_fits(widgets.em(_SLIDER))
    imgui.set_next_item_width(widgets.em(_SLIDER))
    logarithmic = int(imgui.SliderFlags_.logarithmic | imgui.SliderFlags_.always_clamp)
    words = "unlimited" if rate is None else "%d ticks/s"
    changed, wanted = imgui.slider_int("##rate", rate or RATE_MOST, 1, RATE_MOST, words, logarithmic)
    widgets.tooltip("How fast time runs, in ticks a second, if the device is fast enough.")
    if changed:
        widgets.act(viewer, "rate", ticks=wanted)
    if widgets.button("Fastest", "Run as many ticks as the device can.", rate is None):
        widgets.act(viewer, "rate", ticks=None if rate is not None else _USUAL)


def _back(viewer: Viewer) -> None:
    for ticks in _BACK:
        if widgets.button(f"-{ticks}", f"Go back {ticks} ticks, to exactly what was then."):
            widgets.act(viewer, "rewind", ticks=ticks)
    if widgets.button("Restart", f"Start again from the beginning ({keys_of(viewer, 'reset')})."):
        widgets.act(viewer, "reset")


def _state(viewer: Viewer) -> None:
    facts = viewer.statistics
    words = f"tick {viewer.sim.tick:,}   {speed.in_words(facts.ticks_a_second)} ticks/s"
    widgets.same_line_if_fits(imgui.calc_text_size(words).x)
    imgui.align_text_to_frame_padding()
    imgui.text_unformatted(words)
