"""Shows a simulation in a notebook: its picture and a table, a film of its next ticks, and a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from gpufluid.core import html
from gpufluid.core.errors import GpufluidError, UsageError, shown
from gpufluid.core.numeric import is_whole
from gpufluid.gpu import generated
from gpufluid.gpu.device import shared_device
from gpufluid.gpu.memory import Allocations
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.render.axes import check_plot, show_in_axes
from gpufluid.render.clip import Clip
from gpufluid.render.film import encoder, png_of
from gpufluid.render.look import Look
from gpufluid.render.painter import Painter, find_overlay, overlay_span
from gpufluid.render.scale import scale_within
from gpufluid.render.settings import PictureSettings
from gpufluid.world import World
from gpufluid.world.in_notebooks import PICTURE_SIDE, heading, laws_in_lines, summary
from gpufluid.world.limits import check_step
from gpufluid.world.statistics import Statistics

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PLOT_SIDE = 1280
"""The longest side of the picture in a plot, in pixels."""


def draw_world(world: World) -> bytes:
    """Draw a world that no simulation holds, at a scale that fits in a page; no pass of its rules is compiled.

    Returns: the content of a PNG file.
    Raises: WorldError: an invalid world, or one that is too large for the device. DeviceError: no OpenGL here, or too
        little memory.
    """
    world.validate()
    with shared_device() as device:
        device.check_side(world.width, world.height, max(len(world.mixture), 1))
        allocations = device.allocations = Allocations()
        try:
            planes = PlaneTextures(device, world, ())
            painter = Painter(device, world, generated.for_world(world))
            painter.tick = world.tick
            settings = PictureSettings(scale_within(world.width, world.height, PICTURE_SIDE))
            layout = settings.layout((world.width, world.height), device.max_side)
            return png_of(painter.draw(planes.textures(), settings, layout))
        finally:
            allocations.release()  # also those of planes that memory did not suffice for


class Shown(Protocol):
    """The parts of a simulation that are needed to show it."""

    tick: int

    @property
    def blank(self) -> World:
        """A world with the same laws."""
        ...

    @property
    def closed(self) -> bool:
        """True once the simulation is closed."""
        ...

    def step(self, ticks: int = 1) -> None:
        """Run ticks."""

    def statistics(self) -> Statistics:
        """The statistics of the current state."""
        ...

    def picture(self, settings: PictureSettings) -> np.ndarray:
        """A picture of the current state, (rows, columns, 3) uint8."""
        ...

    def check_picture(self, settings: PictureSettings) -> tuple[int, int]:
        """Check if a picture can be drawn."""
        ...

    def check_overlay(self, overlay: str) -> None:
        """Check if an overlay can be drawn."""


def fitted(simulation: Shown, side: int = PICTURE_SIDE) -> str:
    """The largest scale at which no side of a picture is longer than ``side`` pixels; by default it fits in a page."""
    return scale_within(simulation.blank.width, simulation.blank.height, side)


def _drawn(simulation: Shown) -> bytes:
    return png_of(simulation.picture(PictureSettings(fitted(simulation))))


def film_of(simulation: Shown, ticks: int, every: int, rate: float, settings: PictureSettings) -> Clip:
    """Run ticks, and draw a frame before the first one, after every so many and after the last.

    Arguments, result and errors: as `Simulation.film`.
    """
    encoder()
    clip = Clip(rate, fixed=settings.keeps_pixels)
    check_step(ticks, simulation.tick)
    if not is_whole(every, 1):
        raise UsageError(f"every: {shown(every)}; expected a whole number of ticks from 1 on")
    simulation.check_picture(settings)
    if settings.overlay is not None:
        simulation.check_overlay(settings.overlay)
    clip.add(simulation.picture(settings))
    until = simulation.tick + ticks
    while simulation.tick < until:
        simulation.step(min(every, until - simulation.tick))
        clip.add(simulation.picture(settings))
    return clip


def plot_of(simulation: Shown, overlay: str | None, overlay_max: float | None, ax: Axes | None, theme: str) -> Axes:
    """Plot the current state by matplotlib. Arguments, result and errors: as `Simulation.plot`."""
    check_plot()
    chosen = None if overlay is None else find_overlay(simulation.blank, overlay)
    span = (0.0, 1.0) if overlay is None else overlay_span(simulation.blank, overlay, overlay_max)
    settings = PictureSettings(fitted(simulation, _PLOT_SIDE), overlay, overlay_max, Look.of(theme))
    size = simulation.blank.width, simulation.blank.height
    return show_in_axes(simulation.picture(settings), size, ax, chosen, span)


def picture_of(simulation: Shown) -> bytes | None:
    """The whole world at a scale that fits in a page, the content of a PNG file; None if it cannot be drawn."""
    try:
        return _drawn(simulation)
    except GpufluidError:  # `panel_of` says why
        return None


def panel_of(simulation: Shown) -> str:
    """HTML with the laws of the world, its picture, and a table of what is in it."""
    laws = simulation.blank.laws
    if simulation.closed:
        return html.panel(heading("Closed simulation", laws), laws_in_lines(laws, simulation.tick))
    try:
        statistics = simulation.statistics()
    except GpufluidError as error:  # such as too little memory
        return html.panel(heading("Simulation", laws), [], html.note(f"no statistics: {error}"))
    return summary("Simulation", laws, statistics, lambda: _drawn(simulation))
