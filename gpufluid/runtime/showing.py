"""How a simulation shows itself in a notebook: its picture and a table, a film of its next ticks, and a plot."""

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


def _fitting(simulation: Shown, side: int) -> str:
    return scale_within(simulation.blank.width, simulation.blank.height, side)


def _png(simulation: Shown) -> bytes:
    return png_of(simulation.picture(PictureSettings(_fitting(simulation, PICTURE_SIDE))))


class ShowsItself:
    """A simulation that can be shown in a notebook."""

    def film(
        self: Shown,
        ticks: int,
        every: int = 1,
        rate: float = 30,
        scale: float | str | None = None,
        overlay: str | None = None,
        overlay_max: float | None = None,
        tint: bool = True,
        *,
        theme: str = "day",
        background: str | None = None,
        crop: tuple[int, int, int, int] | None = None,
        size: tuple[int, int] | None = None,
    ) -> Clip:
        """Run ticks, and draw a frame before the first one, after every so many and after the last.

        Args:
            ticks: the number of ticks to run.
            every: ticks between two frames.
            rate: frames a second, 1 to 1000.
            scale: as for `frame`; None: the largest at which the longer side has at most 640 pixels.
            overlay, overlay_max, tint, theme, background, crop, size: as for `frame`.
        Returns: the film, which plays in a notebook; ``film(...).save("x.mp4")`` writes it.
        Raises: before any tick runs, MissingExtraError: the extra ``film`` is not installed; OutputError: no film can
            be encoded here; UsageError: an invalid argument; WorldError: as `step`.
        """
        encoder()
        clip = Clip(rate)
        check_step(ticks, self.tick)
        if not is_whole(every, 1):
            raise UsageError(f"every: {shown(every)}; expected a whole number of ticks from 1 on")
        fitted = 1 if size is not None else _fitting(self, PICTURE_SIDE)
        look = Look.of(theme, background, tint)
        settings = PictureSettings(fitted if scale is None else scale, overlay, overlay_max, look, crop, size)
        self.check_picture(settings)
        if overlay is not None:
            self.check_overlay(overlay)
        clip.add(self.picture(settings))
        until = self.tick + ticks
        while self.tick < until:
            self.step(min(every, until - self.tick))
            clip.add(self.picture(settings))
        return clip

    def plot(
        self: Shown,
        overlay: str | None = None,
        overlay_max: float | None = None,
        ax: Axes | None = None,
        *,
        theme: str = "day",
    ) -> Axes:
        """Plot the current state by matplotlib, in axes of columns and rows; an overlay gets a colour bar.

        Args:
            overlay, overlay_max, theme: as for `frame`.
            ax: the axes to plot in; None: those of a new figure.
        Returns: the axes.
        Raises: MissingExtraError: the extra ``plot`` is not installed. UsageError: as `frame`.
        """
        check_plot()
        chosen = None if overlay is None else find_overlay(self.blank, overlay)
        span = (0.0, 1.0) if overlay is None else overlay_span(self.blank, overlay, overlay_max)
        settings = PictureSettings(_fitting(self, _PLOT_SIDE), overlay, overlay_max, Look.of(theme))
        return show_in_axes(self.picture(settings), (self.blank.width, self.blank.height), ax, chosen, span)

    def _repr_png_(self: Shown) -> bytes | None:
        """The whole world at a scale that fits in a page, the content of a PNG file; None if it cannot be drawn."""
        try:
            return _png(self)
        except GpufluidError:  # `_repr_html_` says why
            return None

    def _repr_html_(self: Shown) -> str:
        """The laws of the world, its picture, and a table of what is in it."""
        if self.closed:
            return html.panel(heading("Closed simulation", self.blank.laws), laws_in_lines(self.blank.laws, self.tick))
        try:
            statistics = self.statistics()
        except GpufluidError as error:  # such as too little memory
            return html.panel(heading("Simulation", self.blank.laws), [], html.note(f"no statistics: {error}"))
        return summary("Simulation", self.blank.laws, statistics, lambda: _png(self))

    def __repr__(self: Shown) -> str:
        laws, closed = self.blank.laws, ", no longer open" if self.closed else ""
        return f"<Simulation {laws.width}x{laws.height} {'+'.join(laws.rules)} {laws.edges} tick {self.tick}{closed}>"
