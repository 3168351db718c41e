"""Drawing of a running simulation: pictures of the whole world, and the view of a window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np

from gpufluid.core.errors import UsageError
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Uniform
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.gpu.trace import Trace
from gpufluid.render.look import Look
from gpufluid.render.painter import Painter, find_overlay
from gpufluid.render.scale import Scale
from gpufluid.world import World

if TYPE_CHECKING:
    import moderngl


class ShownPasses(Protocol):
    """What overlays show of the passes of a simulation."""

    @property
    def scratch(self) -> Mapping[str, moderngl.Texture]:
        """The passes' scratch textures by name."""
        ...

    def outline_tiles(self, tick: int, picture: moderngl.Texture, uniforms: Mapping[str, Uniform]) -> None:
        """Draw a rectangle around each tile into a picture, before the tick of this number."""


class Drawing:
    """Draws the state of a simulation. The shaders are compiled when the first picture is drawn.

    Args:
        device: runs the simulation.
        world: gives the laws; its arrays are not used.
        texts: the world's generated includes, by name.
        planes: the state.
        trace: the moves of the last tick; None if the simulation does not record them.
        passes: what overlays show of the passes.
    """

    def __init__(
        self,
        device: Device,
        world: World,
        texts: Mapping[str, str],
        planes: PlaneTextures,
        trace: Trace | None,
        passes: ShownPasses,
    ) -> None:
        self._device, self._world, self._texts = device, world, texts
        self._planes, self._trace, self._passes = planes, trace, passes
        self._painter: Painter | None = None

    def frame(
        self, tick: int, scale: float | str, overlay: str | None, overlay_max: float | None, look: Look
    ) -> np.ndarray:
        """A picture, (height, width, 3) uint8, sRGB; see `Simulation.frame`."""
        self.check_frame(scale)
        return self._at(tick).draw(self._drawn(overlay), scale, overlay, overlay_max, look)

    def view(
        self,
        tick: int,
        scale: Scale,
        offset: tuple[int, int],
        size: tuple[int, int],
        overlay: str | None,
        rows: tuple[int, int] | None,
        look: Look,
    ) -> moderngl.Texture:
        """See `Workbench.view`."""
        return self._at(tick).view(self._drawn(overlay), scale, offset, size, overlay, rows, look)

    def check_frame(self, scale: float | str) -> None:
        """Check a scale. Raises: UsageError: not a scale, or the picture would exceed the device's texture size."""
        width, height = Scale.of(scale).picture_size(self._world.width, self._world.height)
        if max(width, height) > self._device.max_side:
            limit = f"this device's limit of {self._device.max_side} a side"
            raise UsageError(f"scale: {scale}; a picture of {width} by {height} pixels is over {limit}")

    def release(self) -> None:
        """Release the textures."""
        if self._painter is not None:
            self._painter.release()

    def _at(self, tick: int) -> Painter:
        if self._painter is None:
            self._painter = Painter(self._device, self._world, self._texts, self._passes.outline_tiles)
        self._painter.tick = tick
        return self._painter

    def _drawn(self, overlay: str | None) -> dict[str, moderngl.Texture]:
        """The textures that a picture is drawn from, by name."""
        planes = {**self._passes.scratch, **self._planes.textures()}
        if overlay is not None and find_overlay(self._world, overlay).traces:
            if self._trace is None:
                raise UsageError(f"overlay: {overlay!r} needs Simulation(world, trace=True), in a world of rule atoms")
            planes["trace"] = self._trace.texture
        return planes
